package io.quantail.market.setup;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;

/** Names the trading environment {@value #NAME}: training episodes on the run's own data. */
public final class MarketProvider implements EnvironmentProvider {
  public static final String NAME = "Market-v0";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EnvironmentFactory factory(RunConfig config) {
    return Market.load(settings(config)).training();
  }

  /** The section {@code market} of a run, which must have one. */
  public static MarketConfig settings(RunConfig config) {
    return config
        .modules()
        .find(MarketConfig.class)
        .orElseThrow(
            () ->
                new ConfigException(
                    "environment.name "
                        + NAME
                        + " needs the section market; begin with market.data.files"));
  }
}
