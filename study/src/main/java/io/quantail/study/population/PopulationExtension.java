package io.quantail.study.population;

import io.quantail.config.ConfigExtension;
import io.quantail.config.SettingRule;
import java.util.List;

/** Provides the section {@code population} of the settings. */
public final class PopulationExtension implements ConfigExtension {
  /** Name of the section. */
  public static final String NAME = "population";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Record defaults() {
    return PopulationConfig.defaults();
  }

  @Override
  public List<SettingRule> rules() {
    return SettingRule.table(PopulationExtension.class);
  }
}
