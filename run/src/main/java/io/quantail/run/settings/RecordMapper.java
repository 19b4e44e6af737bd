package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.quantail.config.CoefficientSchedule;
import io.quantail.config.ConfigException;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.SettingNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to trees and back: a component is a setting, a component that is itself a record
 * is a section. A {@link CoefficientSchedule} is the value of one setting.
 *
 * <p>A component that is a map of records is a section whose names the user chooses; a component of
 * such a record that is not given is null. Jackson's data binding is not used because every refusal
 * must name the path and the allowed values.
 */
final class RecordMapper {
  /** In a schema: stands for any name in a section whose names the user chooses. */
  static final String ANY = "*";

  private RecordMapper() {}

  /** A section's values, and the settings that the names a user chooses may have. */
  static ObjectNode schema(Record section) {
    ObjectNode tree = write(section);
    for (RecordComponent component : section.getClass().getRecordComponents()) {
      if (component.getType() == Map.class) {
        ObjectNode blank = JsonNodeFactory.instance.objectNode();
        for (RecordComponent setting : typeArgument(component, 1).getRecordComponents()) {
          blank.putNull(setting.getName());
        }
        ((ObjectNode) tree.get(component.getName())).set(ANY, blank);
      }
    }
    return tree;
  }

  static ObjectNode write(Record section) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    for (RecordComponent component : section.getClass().getRecordComponents()) {
      Object value = value(section, component);
      if (value instanceof ConfigExtensions modules) {
        ExtensionTrees.write(modules, tree);
      } else {
        tree.set(component.getName(), node(value));
      }
    }
    return tree;
  }

  /** A record from a tree that has a value for each component. */
  static <T extends Record> T read(Class<T> type, ObjectNode tree) {
    return type.cast(read(type, tree, ""));
  }

  static Object read(Class<?> type, ObjectNode tree, String prefix) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      arguments[i] = readComponent(components[i], tree, prefix);
    }
    return construct(type, components, arguments);
  }

  private static @Nullable Object readComponent(
      RecordComponent component, ObjectNode tree, String prefix) {
    Class<?> type = component.getType();
    JsonNode node = tree.get(component.getName());
    String path = prefix + component.getName();
    if (type == ConfigExtensions.class) {
      return ExtensionTrees.read(tree);
    } else if (type == CoefficientSchedule.class) {
      return ScheduleTree.read(node, path);
    } else if (type.isRecord()) {
      return read(type, (ObjectNode) node, path + ".");
    } else if (type == Map.class) {
      return readMap(typeArgument(component, 1), (ObjectNode) node, path + ".");
    } else if (type == List.class) {
      return ScalarParser.readList(typeArgument(component, 0), node, path);
    }
    return ScalarParser.read(type, node, path);
  }

  private static Map<String, Object> readMap(Class<?> type, ObjectNode tree, String prefix) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : tree.properties()) {
      if (!entry.getKey().equals(ANY)) {
        ObjectNode settings = (ObjectNode) entry.getValue();
        values.put(entry.getKey(), readOptional(type, settings, prefix + entry.getKey() + "."));
      }
    }
    return values;
  }

  /** A record whose components are null where the tree has no value. */
  private static Object readOptional(Class<?> type, ObjectNode tree, String prefix) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      JsonNode node = tree.get(components[i].getName());
      boolean given = node != null && !node.isNull();
      arguments[i] = given ? readComponent(components[i], tree, prefix) : null;
    }
    return construct(type, components, arguments);
  }

  private static Class<?> typeArgument(RecordComponent component, int index) {
    return (Class<?>)
        ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[index];
  }

  private static Object construct(Class<?> type, RecordComponent[] components, Object[] arguments) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (InvocationTargetException refused) {
      if (refused.getCause() instanceof ConfigException cause) {
        throw cause;
      }
      throw new IllegalStateException("cannot construct " + type, refused.getCause());
    } catch (ReflectiveOperationException exception) {
      throw new IllegalStateException("cannot construct " + type, exception);
    }
  }

  private static Object value(Record section, RecordComponent component) {
    try {
      return component.getAccessor().invoke(section);
    } catch (ReflectiveOperationException exception) {
      throw new IllegalStateException("cannot read " + component, exception);
    }
  }

  /** Removes nulls, which mean "not given" in a section that the user named. */
  private static ObjectNode given(ObjectNode tree) {
    List<String> missing =
        tree.properties().stream()
            .filter(field -> field.getValue().isNull())
            .map(Map.Entry::getKey)
            .toList();
    return tree.remove(missing);
  }

  private static JsonNode node(Object value) {
    if (value == null) {
      return NullNode.instance;
    } else if (value instanceof CoefficientSchedule schedule) {
      return ScheduleTree.write(schedule);
    } else if (value instanceof Record inner) {
      return write(inner);
    } else if (value instanceof Enum<?> constant) {
      return TextNode.valueOf(SettingNames.written(constant));
    } else if (value instanceof Boolean flag) {
      return BooleanNode.valueOf(flag);
    } else if (value instanceof Double number) {
      return ScheduleTree.number(number);
    } else if (value instanceof Integer || value instanceof Long) {
      return LongNode.valueOf(((Number) value).longValue());
    } else if (value instanceof BigDecimal number) {
      return DecimalNode.valueOf(number);
    } else if (value instanceof String text) {
      return TextNode.valueOf(text);
    } else if (value instanceof List<?> values) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      values.forEach(element -> list.add(node(element)));
      return list;
    } else if (value instanceof Map<?, ?> values) {
      ObjectNode section = JsonNodeFactory.instance.objectNode();
      values.forEach((name, inner) -> section.set((String) name, given(write((Record) inner))));
      return section;
    }
    throw new IllegalStateException("unsupported type of setting " + value.getClass());
  }
}
