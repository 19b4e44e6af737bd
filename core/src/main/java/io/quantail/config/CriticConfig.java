package io.quantail.config;

/**
 * The distributional critic; section {@code critic}.
 *
 * @param type representation of the distribution of returns; default {@code quantile}
 * @param quantiles number of quantile levels; in [1, 1024]; default 32
 * @param huberKappa error beyond which the quantile loss turns linear, in normalised return units;
 *     positive; default 1
 * @param twin whether two critics are learnt and the lower mean is used; default true
 * @param coefficient weight of the critic loss in the total; at least 0; default 0.5
 */
public record CriticConfig(
    CriticType type, int quantiles, double huberKappa, boolean twin, double coefficient) {
  public CriticConfig {
    Check.present("critic.type", type);
    Check.within("critic.quantiles", quantiles, 1, 1024);
    Check.positive("critic.huberKappa", huberKappa);
    Check.notNegative("critic.coefficient", coefficient);
  }

  public static CriticConfig defaults() {
    return new CriticConfig(CriticType.QUANTILE, 32, 1.0, true, 0.5);
  }
}
