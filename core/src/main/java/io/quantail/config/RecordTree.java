package io.quantail.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Turns records into trees and back: a component is a setting, a component that is itself a record
 * is a section, and a map of records is a section whose names the user chooses.
 *
 * <p>Reading is our own instead of Jackson's data binding because every refusal must name the path
 * and the allowed values.
 */
final class RecordTree {
  private RecordTree() {}

  static ObjectNode write(Record section) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    for (RecordComponent component : section.getClass().getRecordComponents()) {
      Object value = value(section, component);
      if (value instanceof Sections modules) {
        modules.writeInto(tree);
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

  private static Object readComponent(RecordComponent component, ObjectNode tree, String prefix) {
    Class<?> type = component.getType();
    JsonNode node = tree.get(component.getName());
    String path = prefix + component.getName();
    if (type == Sections.class) {
      return Sections.read(tree);
    } else if (type.isRecord()) {
      return read(type, (ObjectNode) node, path + ".");
    } else if (type == Map.class) {
      return OpenSections.read(component, (ObjectNode) node, path);
    } else if (component.getGenericType() instanceof ParameterizedType list) {
      return Scalars.readList((Class<?>) list.getActualTypeArguments()[0], node, path);
    }
    return Scalars.read(type, node, path);
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

  private static JsonNode node(Object value) {
    if (value == null) {
      return NullNode.instance;
    } else if (value instanceof Record inner) {
      return write(inner);
    } else if (value instanceof Enum<?> constant) {
      return TextNode.valueOf(Names.written(constant));
    } else if (value instanceof Boolean flag) {
      return BooleanNode.valueOf(flag);
    } else if (value instanceof Double number) {
      // Shortest decimal that identifies the number, without an exponent: 0.0003.
      return DecimalNode.valueOf(new BigDecimal(Check.plain(number)));
    } else if (value instanceof Integer || value instanceof Long) {
      return LongNode.valueOf(((Number) value).longValue());
    } else if (value instanceof BigDecimal number) {
      return DecimalNode.valueOf(number);
    } else if (value instanceof Map<?, ?> entries) {
      return OpenSections.write(entries);
    } else if (value instanceof String text) {
      return TextNode.valueOf(text);
    } else if (value instanceof List<?> values) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode();
      values.forEach(element -> list.add(node(element)));
      return list;
    }
    throw new IllegalStateException("unsupported type of setting " + value.getClass());
  }
}
