package io.quantail.run.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigException;
import io.quantail.config.SettingNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;

/**
 * Writes given settings over a complete tree of settings. The complete tree is the schema: a name
 * that it does not contain is refused with the nearest name that it contains.
 */
final class SettingsOverlay {
  private final ObjectNode root;
  private final String sourceName;

  private SettingsOverlay(ObjectNode root, String sourceName) {
    this.root = root;
    this.sourceName = sourceName;
  }

  /** Changes {@code settings} in place; a null document changes nothing. */
  static void apply(ObjectNode settings, JsonNode given, String sourceName) {
    if (given.isNull()) {
      return;
    }
    if (!given.isObject()) {
      throw new ConfigException(
          "%s must contain settings such as \"seed: 1\", was %s"
              .formatted(sourceName, ScalarParser.shown(given)));
    }
    new SettingsOverlay(settings, sourceName).merge(settings, (ObjectNode) given, "");
  }

  private void merge(ObjectNode section, ObjectNode given, String prefix) {
    for (Entry<String, JsonNode> entry : given.properties()) {
      String name = entry.getKey();
      JsonNode current = known(section, name, prefix);
      if (!current.isObject() || ScheduleTree.is(current)) {
        section.set(name, ScheduleTree.over(current, entry.getValue()));
      } else if (entry.getValue() instanceof ObjectNode inner) {
        merge((ObjectNode) current, inner, prefix + name + ".");
      } else {
        throw new ConfigException(
            "%s must be a section with settings (%s), was %s"
                .formatted(prefix + name, names(current), ScalarParser.shown(entry.getValue())));
      }
    }
  }

  /** The value under a name; where the user chooses names, a new name is added. */
  private JsonNode known(ObjectNode section, String name, String prefix) {
    if (!section.has(name) && section.has(RecordMapper.ANY)) {
      section.set(name, section.get(RecordMapper.ANY).deepCopy());
    }
    JsonNode current = section.get(name);
    if (current == null || name.equals(RecordMapper.ANY)) {
      throw unknown(section, name, prefix);
    }
    return current;
  }

  private ConfigException unknown(ObjectNode section, String name, String prefix) {
    String hint =
        SettingNames.nearest(name, fieldNames(section))
            .map(near -> prefix + near)
            .or(() -> nearestAnywhere(name))
            .map(near -> "did you mean " + near + "?")
            .orElseGet(() -> "allowed here: " + names(section));
    return new ConfigException(
        "unknown setting %s in %s; %s".formatted(prefix + name, sourceName, hint));
  }

  /** The path whose last name is nearest, for settings that were put into the wrong section. */
  private Optional<String> nearestAnywhere(String name) {
    List<String> paths = new ArrayList<>();
    collectPaths(root, "", paths);
    List<String> lastNames = paths.stream().map(SettingsOverlay::lastName).toList();
    return SettingNames.nearest(lastName(name), lastNames)
        .map(near -> paths.get(lastNames.indexOf(near)));
  }

  private static void collectPaths(ObjectNode section, String prefix, List<String> paths) {
    for (Entry<String, JsonNode> entry : section.properties()) {
      if (!entry.getKey().equals(RecordMapper.ANY)) {
        paths.add(prefix + entry.getKey());
      }
      if (entry.getValue() instanceof ObjectNode inner && !ScheduleTree.is(inner)) {
        collectPaths(inner, prefix + entry.getKey() + ".", paths);
      }
    }
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private static String names(JsonNode section) {
    return section.has(RecordMapper.ANY)
        ? "names that you choose"
        : String.join(", ", fieldNames(section));
  }

  private static List<String> fieldNames(JsonNode section) {
    return section.properties().stream()
        .map(Entry::getKey)
        .filter(name -> !name.equals(RecordMapper.ANY))
        .toList();
  }
}
