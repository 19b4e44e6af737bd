package io.quantail.market;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;

/** Provides the environment {@value #NAME}: training episodes on the bars of a run. */
public final class MarketProvider implements EnvironmentProvider {
  /** Name of the environment. */
  public static final String NAME = "Market-v0";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EnvironmentFactory factory(RunConfig config) {
    return MarketEnvironments.training(Market.load(settings(config)));
  }

  /** Whether a run is on a market. */
  public static boolean provides(RunConfig config) {
    return config.environment().name().equals(NAME);
  }

  /** The section {@code market} of a run; refuses a run without one. */
  public static MarketConfig settings(RunConfig config) {
    return config
        .modules()
        .find(MarketConfig.class)
        .orElseThrow(
            () ->
                new ConfigException(
                    "environment.name "
                        + NAME
                        + " needs the section market; set market.data.files first"));
  }
}
