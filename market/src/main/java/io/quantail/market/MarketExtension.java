package io.quantail.market;

import io.quantail.config.ConfigExtension;
import io.quantail.config.SettingRule;
import java.util.List;

/** Adds the section {@code market} to the settings. */
public final class MarketExtension implements ConfigExtension {
  /** Name of the section. */
  public static final String NAME = "market";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Record defaults() {
    return MarketConfig.defaults();
  }

  @Override
  public List<SettingRule> rules() {
    return SettingRule.table(MarketExtension.class);
  }
}
