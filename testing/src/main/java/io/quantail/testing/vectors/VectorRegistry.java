package io.quantail.testing.vectors;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the check of a vector by its name. */
public final class VectorRegistry {
  private final Map<String, VectorCheck> checks = new TreeMap<>();

  /** A registry of the checks of some families; no two may have a name in common. */
  public VectorRegistry(List<VectorFamily> families) {
    for (VectorFamily family : families) {
      family.checks().forEach(this::register);
    }
  }

  /** By exact name, else without a trailing number, else by the longest beginning. */
  Optional<VectorCheck> find(String name) {
    String unnumbered = name.replaceFirst("_\\d+$", "");
    if (checks.containsKey(name)) {
      return Optional.of(checks.get(name));
    }
    if (checks.containsKey(unnumbered)) {
      return Optional.of(checks.get(unnumbered));
    }
    return checks.keySet().stream()
        .filter(name::startsWith)
        .max(Comparator.comparingInt(String::length))
        .map(checks::get);
  }

  private void register(String name, VectorCheck check) {
    if (checks.put(name, check) != null) {
      throw new IllegalStateException("two families check the vector " + name);
    }
  }
}
