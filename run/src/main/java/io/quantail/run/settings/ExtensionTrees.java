package io.quantail.run.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigExtension;
import io.quantail.config.ConfigExtensions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** Sections of other modules as parts of the tree of settings. */
final class ExtensionTrees {
  private ExtensionTrees() {}

  /** The sections of all modules by name: files do not depend on the order of the class path. */
  private static List<ConfigExtension> all() {
    return ServiceLoader.load(ConfigExtension.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(ConfigExtension::name))
        .toList();
  }

  /** Adds every known section with its default values; the tree is the schema of a file. */
  static void addDefaults(ObjectNode tree) {
    for (ConfigExtension section : all()) {
      if (tree.has(section.name())) {
        throw new IllegalStateException(
            "%s provides the section \"%s\", which exists already"
                .formatted(section.getClass().getName(), section.name()));
      }
      tree.set(section.name(), RecordMapper.schema(section.defaults()));
    }
  }

  /** Removes the sections that neither the file nor an override names. */
  static void removeAllBut(Set<String> given, ObjectNode tree) {
    for (ConfigExtension section : all()) {
      if (!given.contains(section.name())) {
        tree.remove(section.name());
      }
    }
  }

  static ConfigExtensions read(ObjectNode tree) {
    Map<String, Record> found = new LinkedHashMap<>();
    for (ConfigExtension section : all()) {
      if (tree.get(section.name()) instanceof ObjectNode settings) {
        Class<?> type = section.defaults().getClass();
        String prefix = section.name() + ".";
        found.put(section.name(), (Record) RecordMapper.read(type, settings, prefix));
      }
    }
    return new ConfigExtensions(found);
  }

  static void write(ConfigExtensions sections, ObjectNode tree) {
    sections.byName().forEach((name, settings) -> tree.set(name, RecordMapper.write(settings)));
  }
}
