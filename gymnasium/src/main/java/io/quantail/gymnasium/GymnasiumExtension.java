package io.quantail.gymnasium;

import io.quantail.config.ConfigExtension;
import io.quantail.config.SettingRule;
import java.util.List;

/** Provides the section {@code gymnasium} of the settings. */
public final class GymnasiumExtension implements ConfigExtension {
  @Override
  public String name() {
    return "gymnasium";
  }

  @Override
  public Record defaults() {
    return GymnasiumConfig.defaults();
  }

  @Override
  public List<SettingRule> rules() {
    return SettingRule.table(GymnasiumExtension.class);
  }
}
