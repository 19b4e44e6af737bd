package io.quantail.market.setup;

import io.quantail.config.ConfigException;
import io.quantail.market.feature.FeatureSpec;
import java.util.List;

/**
 * Market features of the observation; section {@code market.features}.
 *
 * @param names features in their written form, such as {@code return(12)}; default: the standard
 *     set of {@code docs/trading.md}
 */
public record FeatureSettings(List<String> names) {
  public FeatureSettings {
    try {
      FeatureSpec.parse(names);
    } catch (IllegalArgumentException wrong) {
      throw new ConfigException("market.features.names: " + wrong.getMessage());
    }
  }

  /** The default settings. */
  public static FeatureSettings defaults() {
    return new FeatureSettings(FeatureSpec.standard().written());
  }

  /** The parsed features. */
  public FeatureSpec spec() {
    return FeatureSpec.parse(names);
  }
}
