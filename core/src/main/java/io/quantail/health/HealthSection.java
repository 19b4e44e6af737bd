package io.quantail.health;

import io.quantail.config.ConfigSection;

/** Provides the section {@code health} of the settings. */
public final class HealthSection implements ConfigSection {
  @Override
  public String name() {
    return "health";
  }

  @Override
  public Record defaults() {
    return HealthConfig.UNCHANGED;
  }
}
