package io.quantail.run.settings;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.ConfigSection;
import io.quantail.config.Sections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** Sections of other modules as parts of the tree of settings. */
final class ExtensionTrees {
  private ExtensionTrees() {}

  /** Adds every known section with its default values; the tree is the schema of a file. */
  static void addDefaults(ObjectNode tree) {
    for (ConfigSection section : ServiceLoader.load(ConfigSection.class)) {
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
    for (ConfigSection section : ServiceLoader.load(ConfigSection.class)) {
      if (!given.contains(section.name())) {
        tree.remove(section.name());
      }
    }
  }

  static Sections read(ObjectNode tree) {
    Map<String, Record> found = new LinkedHashMap<>();
    for (ConfigSection section : ServiceLoader.load(ConfigSection.class)) {
      if (tree.get(section.name()) instanceof ObjectNode settings) {
        Class<?> type = section.defaults().getClass();
        String prefix = section.name() + ".";
        found.put(section.name(), (Record) RecordMapper.read(type, settings, prefix));
      }
    }
    return new Sections(found);
  }

  static void write(Sections sections, ObjectNode tree) {
    sections.byName().forEach((name, settings) -> tree.set(name, RecordMapper.write(settings)));
  }
}
