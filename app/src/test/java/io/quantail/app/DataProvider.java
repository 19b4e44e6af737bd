package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentProvider;

/** Coins that are read from data; listed in {@code META-INF/services} of the test resources. */
public final class DataProvider implements EnvironmentProvider {
  static final String NAME = "DataCoin-v0";
  static String fingerprint;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EnvironmentFactory factory(RunConfig config) {
    return new EnvironmentFactory() {
      @Override
      public Environment create(int index) {
        return new CoinEnvironment();
      }

      @Override
      public String dataFingerprint() {
        return fingerprint;
      }
    };
  }
}
