package io.quantail.run.health;

import io.quantail.config.ConfigExtension;
import io.quantail.config.SettingRule;
import java.util.List;

/** Provides the section {@code health} of the settings. */
public final class HealthExtension implements ConfigExtension {
  @Override
  public String name() {
    return "health";
  }

  @Override
  public Record defaults() {
    return HealthConfig.UNCHANGED;
  }

  @Override
  public List<SettingRule> rules() {
    return SettingRule.table(HealthExtension.class);
  }
}
