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
    return MarketEnvironments.training(Market.load(settings(config), config.risk()));
  }

  /**
   * Tells whether the environment of a run is {@value #NAME}.
   *
   * @param config settings of the run
   * @return whether the run trains in a market
   */
  public static boolean provides(RunConfig config) {
    return config.environment().name().equals(NAME);
  }

  /**
   * Returns the section {@code market} of a run.
   *
   * @param config settings of the run
   * @return the settings of the run's market
   * @throws ConfigException if the run has no such section
   */
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
