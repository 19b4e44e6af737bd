package io.quantail.market.setup;

import io.quantail.config.ConfigSection;

/** Brings the section {@code market} into the settings. */
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
}
