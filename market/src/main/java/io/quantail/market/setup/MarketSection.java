package io.quantail.market.setup;

import io.quantail.config.ConfigSection;
import io.quantail.config.SettingRule;
import java.util.List;

/** Provides the section {@code market} into the settings. */
public final class MarketSection implements ConfigSection {
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
    return SettingRule.table(MarketSection.class);
  }
}
