package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.config.SettingNames;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts one YAML value to the type of its setting, or refuses it with path, value and allowed
 * values.
 *
 * <p>Text that spells a number is read as a number, because notations such as {@code .5e3} are text
 * to YAML.
 */
final class ScalarParser {
  private ScalarParser() {}

  static @Nullable Object read(Class<?> type, JsonNode node, String path) {
    // Only these types may be null outside of maps whose names the user chooses.
    boolean mayBeNull = type == Double.class || type == Integer.class;
    return node.isNull() && mayBeNull ? null : present(type, node, path);
  }

  /** A value that must be given. */
  static Object present(Class<?> type, JsonNode node, String path) {
    if (node.isNull()) {
      throw new ConfigException(path + " needs a value, was null");
    }
    if (type == int.class || type == Integer.class) {
      return (int) whole(node, path, Integer.MIN_VALUE, Integer.MAX_VALUE);
    } else if (type == long.class) {
      return whole(node, path, Long.MIN_VALUE, Long.MAX_VALUE);
    } else if (type == double.class || type == Double.class) {
      return fractional(node, path);
    } else if (type == boolean.class || type == Boolean.class) {
      return flag(node, path);
    } else if (type == String.class) {
      return text(node, path);
    } else if (type.isEnum()) {
      return constant(type, node, path);
    } else if (type == Object.class) {
      return any(node, path);
    }
    throw new IllegalStateException(path + " has the unsupported type " + type);
  }

  /** A list of values, none of which may be null. */
  static List<Object> readList(Class<?> elementType, JsonNode node, String path) {
    if (!node.isArray()) {
      throw wrong(path, "a list", node);
    }
    Class<?> type = MethodType.methodType(elementType).unwrap().returnType();
    List<Object> values = new ArrayList<>();
    for (JsonNode element : node) {
      values.add(present(type, element, path + "[" + values.size() + "]"));
    }
    return List.copyOf(values);
  }

  /** The value as messages show it. */
  static String shown(JsonNode node) {
    if (node.isArray()) {
      return "a list";
    }
    if (node.isObject()) {
      return "a section";
    }
    return node.toString();
  }

  private static long whole(JsonNode node, String path, long low, long high) {
    BigDecimal number = number(node).orElseThrow(() -> wrong(path, "a whole number", node));
    // The comparison comes first: expanding 1e999999999 to digits would take very long.
    if (number.compareTo(BigDecimal.valueOf(low)) < 0
        || number.compareTo(BigDecimal.valueOf(high)) > 0) {
      throw wrong(path, "a whole number in [" + low + ", " + high + "]", node);
    }
    try {
      return number.longValueExact();
    } catch (ArithmeticException fractional) {
      throw wrong(path, "a whole number", node);
    }
  }

  private static double fractional(JsonNode node, String path) {
    double value =
        number(node)
            .map(BigDecimal::doubleValue)
            .orElseThrow(() -> wrong(path, "a finite number", node));
    if (!Double.isFinite(value)) {
      throw wrong(path, "a finite number", node);
    }
    return value;
  }

  private static Optional<BigDecimal> number(JsonNode node) {
    if (!node.isNumber() && !node.isTextual()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(node.asText().replace("_", "")));
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  private static boolean flag(JsonNode node, String path) {
    if (!node.isBoolean()) {
      throw wrong(path, "true or false", node);
    }
    return node.booleanValue();
  }

  private static String text(JsonNode node, String path) {
    if (!node.isTextual()) {
      throw wrong(path, "text", node);
    }
    return node.textValue();
  }

  /** A value of any scalar type: a number, a flag or text. */
  private static Object any(JsonNode node, String path) {
    if (node.isBoolean()) {
      return node.booleanValue();
    } else if (node.isNumber()) {
      return node.decimalValue();
    }
    return text(node, path);
  }

  private static Object constant(Class<?> type, JsonNode node, String path) {
    for (Object constant : type.getEnumConstants()) {
      if (SettingNames.fold(((Enum<?>) constant).name()).equals(SettingNames.fold(node.asText()))) {
        return constant;
      }
    }
    if (node.isTextual()) {
      throw Check.notOneOf(path, node.textValue(), SettingNames.written(type));
    }
    throw wrong(path, "one of " + String.join(", ", SettingNames.written(type)), node);
  }

  private static ConfigException wrong(String path, String expected, JsonNode node) {
    return new ConfigException("%s must be %s, was %s".formatted(path, expected, shown(node)));
  }
}
