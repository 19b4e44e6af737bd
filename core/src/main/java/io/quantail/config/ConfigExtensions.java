package io.quantail.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The sections of a run that other modules provide, by name.
 *
 * <p>In YAML they are beside the built-in ones. {@code SectionsTest} pins it.
 *
 * @param byName each section's settings
 */
public record ConfigExtensions(Map<String, Record> byName) {
  public ConfigExtensions {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  public static ConfigExtensions none() {
    return new ConfigExtensions(Map.of());
  }

  /** The section of the given type, if the run has it. */
  public <T extends Record> Optional<T> find(Class<T> type) {
    return byName.values().stream().filter(type::isInstance).map(type::cast).findFirst();
  }
}
