package io.quantail.market.setup;

import io.quantail.config.ConfigSection;

/** Adds the section {@code market} to the settings. */
public final class MarketSection implements ConfigSection {
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
}
