package io.quantail.run.health;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Changes to the built-in rules and additional rules; section {@code health}.
 *
 * @param rules by name; a built-in name changes that rule, any other adds one; default none
 */
public record HealthConfig(Map<String, RuleSettings> rules) {
  /** The built-in rules without changes. */
  static final HealthConfig UNCHANGED = new HealthConfig(Map.of());

  public HealthConfig {
    rules.forEach((name, settings) -> settings.check(HealthRules.path(name)));
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
  }
}
