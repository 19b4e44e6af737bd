package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;

/** Names {@link CoinEnvironment}; listed in {@code META-INF/services} of the test resources. */
public final class CoinProvider implements EnvironmentProvider {
  static final String NAME = "Coin-v0";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EnvironmentFactory factory(RunConfig config) {
    return index -> new CoinEnvironment();
  }
}
