package io.quantail.config;

import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * The distributional critic; section {@code critic}.
 *
 * @param type representation of the distribution of returns: {@code quantile} or {@code
 *     categorical}; default {@code quantile}
 * @param quantiles number of quantile levels of a quantile critic; in [1, 1024]; default 51
 * @param huberKappa error beyond which the quantile loss turns linear, in normalised return units;
 *     at least 0; default 0: linear everywhere
 * @param meanHead whether a quantile critic learns the expected return with an output of its own;
 *     default true
 * @param atoms number of atoms of a categorical critic; in [2, 1024]; default 101
 * @param support distance of the outermost atoms of a categorical critic from zero, in normalised
 *     return units; positive; default 10
 * @param twin whether two critics are trained and the lower mean is used; default true
 * @param targets what the critics regress on: {@code distribution}, the distribution of the return,
 *     or {@code gae}, the mean of each return, for comparison; default {@code distribution}
 * @param particles equally likely returns that make the target of a step; in [1, 256]; default 16
 * @param targetLambda trace decay of the particles and of the mean's target; in [0, 1]; default
 *     null: the same as {@code rollout.gaeLambda}
 * @param coefficient weight of the critic loss in the total, or a schedule; at least 0; default 0.5
 * @param clip limits on how far the predictions may move in one update
 */
public record CriticConfig(
    Type type,
    int quantiles,
    double huberKappa,
    boolean meanHead,
    int atoms,
    double support,
    boolean twin,
    Targets targets,
    int particles,
    @Nullable Double targetLambda,
    CoefficientSchedule coefficient,
    Clip clip) {
  private static final EnumSet<ClipMode> OF_QUANTILES =
      EnumSet.of(ClipMode.MEAN_AND_VARIANCE, ClipMode.PER_QUANTILE);

  public CriticConfig {
    Check.present("critic.type", type);
    Check.within("critic.quantiles", quantiles, 1, 1024);
    Check.notNegative("critic.huberKappa", huberKappa);
    Check.within("critic.atoms", atoms, 2, 1024);
    Check.positive("critic.support", support);
    Check.present("critic.targets", targets);
    Check.within("critic.particles", particles, 1, 256);
    if (targetLambda != null) {
      Check.within("critic.targetLambda", targetLambda, 0, 1);
    }
    Check.ends("critic.coefficient", coefficient, Check::notNegative);
    if (type == Type.CATEGORICAL && OF_QUANTILES.contains(clip.mode())) {
      throw new ConfigException(
          "critic.clip.mode must be disable or mean-only when critic.type is categorical, was "
              + SettingNames.written(clip.mode())
              + "; change it or set critic.type to quantile");
    }
  }

  public static CriticConfig defaults() {
    return new CriticConfig(
        Type.QUANTILE,
        51,
        0.0,
        true,
        101,
        10.0,
        true,
        Targets.DISTRIBUTION,
        16,
        null,
        CoefficientSchedule.constant(0.5),
        Clip.defaults());
  }

  /** What the critics regress on; setting {@code critic.targets}. */
  public enum Targets {
    /** Particles of the distribution of the return. */
    DISTRIBUTION,
    /** The GAE return, in which the future is replaced by its mean; for comparison. */
    GAE
  }

  /** How the distribution of returns is represented; setting {@code critic.type}. */
  public enum Type {
    /** A fixed set of quantile levels with trained values. */
    QUANTILE,
    /** A fixed set of values with trained probabilities. */
    CATEGORICAL
  }

  /**
   * Limits on how far the predictions of a critic may move in one update; section {@code
   * critic.clip}.
   *
   * @param mode what is limited: {@code disable}, {@code mean-only}, {@code mean-and-variance} or
   *     {@code per-quantile}; a categorical critic supports {@code disable} and {@code mean-only};
   *     default {@code disable}
   * @param range how far the mean or a quantile may move in one update, in normalised return units;
   *     positive; default 0.7
   * @param varianceFactor largest factor by which the dispersion may grow in one update, for {@code
   *     mean-and-variance}; at least 1; default 2
   * @param warmupUpdates updates at the start without clipping; at least 0; default 0
   * @param thresholdExplainedVariance explained variance of the last update below which nothing is
   *     clipped; in [-1, 1]; default null: always clip
   */
  public record Clip(
      ClipMode mode,
      double range,
      double varianceFactor,
      int warmupUpdates,
      @Nullable Double thresholdExplainedVariance) {
    public Clip {
      Check.present("critic.clip.mode", mode);
      Check.positive("critic.clip.range", range);
      Check.atLeast("critic.clip.varianceFactor", varianceFactor, 1);
      Check.atLeast("critic.clip.warmupUpdates", warmupUpdates, 0);
      if (thresholdExplainedVariance != null) {
        Check.within("critic.clip.thresholdExplainedVariance", thresholdExplainedVariance, -1, 1);
      }
    }

    public static Clip defaults() {
      return new Clip(ClipMode.DISABLE, 0.7, 2.0, 0, null);
    }

    /** Whether predictions can be clipped. */
    public boolean enabled() {
      return mode != ClipMode.DISABLE;
    }
  }

  /**
   * The part of a critic's distribution whose change in one update is limited; {@code
   * critic.clip.mode}.
   */
  public enum ClipMode {
    /** No limit. */
    DISABLE,
    /** The mean; the shape is kept. */
    MEAN_ONLY,
    /** The mean, and the growth of the dispersion; quantile critics only. */
    MEAN_AND_VARIANCE,
    /** Each quantile on its own; quantile critics only. */
    PER_QUANTILE
  }
}
