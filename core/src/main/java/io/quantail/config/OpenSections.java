package io.quantail.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Sections whose names the user chooses: components that are maps of records. Every entry has the
 * settings of that record, which has a static method {@code defaults()}.
 */
final class OpenSections {
  private OpenSections() {}

  /** The default entry of each open section that modules bring, by the path of the section. */
  static Map<String, ObjectNode> templates() {
    Map<String, ObjectNode> templates = new HashMap<>();
    for (ConfigSection section : ServiceLoader.load(ConfigSection.class)) {
      for (RecordComponent component : section.defaults().getClass().getRecordComponents()) {
        if (component.getType() == Map.class) {
          templates.put(
              section.name() + "." + component.getName(),
              RecordTree.write(defaults(elementType(component))));
        }
      }
    }
    return templates;
  }

  static ObjectNode write(Map<?, ?> entries) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    entries.forEach((name, entry) -> node.set((String) name, RecordTree.write((Record) entry)));
    return node;
  }

  static Map<String, Object> read(RecordComponent component, ObjectNode node, String path) {
    Map<String, Object> entries = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String prefix = path + "." + entry.getKey() + ".";
      entries.put(
          entry.getKey(),
          RecordTree.read(elementType(component), (ObjectNode) entry.getValue(), prefix));
    }
    return entries;
  }

  private static Class<?> elementType(RecordComponent component) {
    ParameterizedType map = (ParameterizedType) component.getGenericType();
    return (Class<?>) map.getActualTypeArguments()[1];
  }

  private static Record defaults(Class<?> type) {
    try {
      return (Record) type.getMethod("defaults").invoke(null);
    } catch (ReflectiveOperationException exception) {
      throw new IllegalStateException(type + " needs a public static defaults()", exception);
    }
  }
}
