package io.quantail.config;

import java.util.EnumSet;

/**
 * The distributional critic; section {@code critic}.
 *
 * @param type representation of the distribution of returns: {@code quantile} or {@code
 *     categorical}; default {@code quantile}
 * @param quantiles number of quantile levels of a quantile critic; in [1, 1024]; default 32
 * @param huberKappa error beyond which the quantile loss turns linear, in normalised return units;
 *     positive; default 1
 * @param atoms number of atoms of a categorical critic; in [2, 1024]; default 51
 * @param support where the outermost atoms of a categorical critic stand, on both sides of zero, in
 *     normalised return units; positive; default 10
 * @param twin whether two critics are learnt and the lower mean is used; default true
 * @param coefficient weight of the critic loss in the total; at least 0; default 0.5
 * @param clip limits on how far the predictions may move in one update
 */
public record CriticConfig(
    CriticType type,
    int quantiles,
    double huberKappa,
    int atoms,
    double support,
    boolean twin,
    double coefficient,
    ValueClipConfig clip) {
  private static final EnumSet<ValueClipMode> OF_QUANTILES =
      EnumSet.of(ValueClipMode.MEAN_AND_VARIANCE, ValueClipMode.PER_QUANTILE);

  public CriticConfig {
    Check.present("critic.type", type);
    Check.within("critic.quantiles", quantiles, 1, 1024);
    Check.positive("critic.huberKappa", huberKappa);
    Check.within("critic.atoms", atoms, 2, 1024);
    Check.positive("critic.support", support);
    Check.notNegative("critic.coefficient", coefficient);
    if (type == CriticType.CATEGORICAL && OF_QUANTILES.contains(clip.mode())) {
      throw new ConfigException(
          "critic.clip.mode must be disable or mean-only when critic.type is categorical, was "
              + Names.written(clip.mode())
              + "; change it or set critic.type to quantile");
    }
  }

  public static CriticConfig defaults() {
    return new CriticConfig(
        CriticType.QUANTILE, 32, 1.0, 51, 10.0, true, 0.5, ValueClipConfig.defaults());
  }
}
