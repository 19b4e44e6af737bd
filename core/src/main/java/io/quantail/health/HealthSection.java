package io.quantail.health;

import io.quantail.config.ConfigSection;

/** Brings the section {@code health}. */
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
