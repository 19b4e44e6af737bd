package io.quantail.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * The sections of a run that modules outside the learner brought along, by name.
 *
 * <p>In YAML they stand beside the built-in ones. {@code SectionsTest} pins it.
 *
 * @param byName each section's settings
 */
public record Sections(Map<String, Record> byName) {
  public Sections {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  public static Sections none() {
    return new Sections(Map.of());
  }

  /** The section of the given type, if the run has it. */
  public <T extends Record> Optional<T> find(Class<T> type) {
    return byName.values().stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** Puts the defaults of every known section into a tree, as its schema. */
  static void addDefaults(ObjectNode tree) {
    for (ConfigSection section : ServiceLoader.load(ConfigSection.class)) {
      if (tree.has(section.name())) {
        throw new IllegalStateException(
            "%s brings the section \"%s\", which exists already"
                .formatted(section.getClass().getName(), section.name()));
      }
      tree.set(section.name(), RecordTree.schema(section.defaults()));
    }
  }

  /** Takes out of a tree the sections that nobody asked for. */
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
        found.put(section.name(), (Record) RecordTree.read(type, settings, prefix));
      }
    }
    return new Sections(found);
  }

  void writeInto(ObjectNode tree) {
    byName.forEach((name, settings) -> tree.set(name, RecordTree.write(settings)));
  }
}
