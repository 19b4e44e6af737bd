package io.quantail.config;

import org.jspecify.annotations.Nullable;

/**
 * The limit on the lower tail, {@code CVaR >= limit}; section {@code risk}.
 *
 * @param mode how the limit acts: {@code off}, {@code policy}, or for comparison {@code penalty}
 *     and {@code constraint}, which train the critics to predict a better tail and need {@code
 *     network.sharedMemory}; default {@code off}: the tail is only measured
 * @param measure the quantity whose lower tail is limited: {@code rewards} of single steps, {@code
 *     returns}, or {@code episodes}, the undiscounted sums of whole episodes; {@code penalty} and
 *     {@code constraint} act on the predictions of the critics and need {@code returns}; default
 *     {@code rewards}
 * @param alpha fraction of the worst outcomes whose mean is the CVaR; in (0, 1]; default 0.05
 * @param limit lower bound of the CVaR, in units of the reward; any finite number, negative for a
 *     loss; default null: none, allowed only with {@code off}
 * @param margin fraction of the limit's size that {@code policy} keeps as a reserve; in [0, 1);
 *     default 0.05
 * @param winsor fraction of samples at each end that is winsorised before the CVaR of a rollout is
 *     computed; in [0, 0.5); default 0: none, because a limit acts on the worst outcomes
 * @param smoothing weight of the past in the moving averages of the measured CVaR; in [0, 1);
 *     default 0.8
 * @param method how the CVaR is read from quantiles: {@code point-mass}, {@code interpolated} or
 *     {@code tails}, with exponential tails beyond the outermost; default {@code tails}
 * @param cap largest size of the term in the loss, in {@code penalty} and {@code constraint};
 *     positive; beyond it the term has no gradient; default null: none
 * @param multiplier section {@code risk.multiplier}
 * @param penalty section {@code risk.penalty}
 */
public record RiskConfig(
    Mode mode,
    Measure measure,
    double alpha,
    @Nullable Double limit,
    double margin,
    double winsor,
    double smoothing,
    CvarMethod method,
    @Nullable Double cap,
    Multiplier multiplier,
    Penalty penalty) {
  public RiskConfig {
    Check.present("risk.mode", mode);
    Check.present("risk.measure", measure);
    Check.positiveFraction("risk.alpha", alpha);
    if (limit != null) {
      Check.finite("risk.limit", limit);
    } else if (mode != Mode.OFF) {
      throw new ConfigException(
          "risk.limit needs a number when risk.mode is %s, for example -0.02; was null"
              .formatted(SettingNames.written(mode)));
    }
    Check.decay("risk.margin", margin);
    Check.within("risk.winsor", winsor, 0, Math.nextDown(0.5));
    Check.decay("risk.smoothing", smoothing);
    Check.present("risk.method", method);
    if (cap != null) {
      Check.positive("risk.cap", cap);
    }
    if (mode.actsOnCritics() && measure != Measure.RETURNS) {
      throw new ConfigException(
          "risk.measure must be returns when risk.mode is %s, which acts on what the critics predict; was %s"
              .formatted(SettingNames.written(mode), SettingNames.written(measure)));
    }
  }

  public static RiskConfig defaults() {
    return new RiskConfig(
        Mode.OFF,
        Measure.REWARDS,
        0.05,
        null,
        0.05,
        0.0,
        0.8,
        CvarMethod.TAILS,
        null,
        Multiplier.defaults(),
        Penalty.defaults());
  }

  /** How the mean of the lower tail is read from quantiles. */
  public enum CvarMethod {
    /**
     * The quantiles are equally likely outcomes: exact for the distribution that the critic
     * represents.
     */
    POINT_MASS,
    /** The quantiles lie on a piecewise linear curve, extended beyond the lowest. */
    INTERPOLATED,
    /** As interpolated, with exponential tails beyond the outermost quantiles. */
    TAILS
  }

  /** Quantities whose lower tail can be limited. */
  public enum Measure {
    /** The reward of a single step, for a market the log-return of a bar. */
    REWARDS,
    /** The discounted return from a step on, which the critics predict. */
    RETURNS,
    /**
     * The undiscounted sum of an episode's rewards, truncated episodes included; measured on the
     * last {@code 20 / alpha} episodes or more, and undecided until so many have ended.
     */
    EPISODES
  }

  /** How the limit on the lower tail acts. */
  public enum Mode {
    /** The tail is measured and reported; nothing acts on it. */
    OFF,
    /**
     * For comparison: a weight on the predicted CVaR in the loss, ramped in while the limit is
     * violated. Its gradient makes the critics optimistic and reaches the policy only through
     * shared layers.
     */
    PENALTY,
    /**
     * For comparison: a multiplier on the predicted violation in the loss, moved by the measured
     * CVaR. Its gradient is that of {@link #PENALTY}.
     */
    CONSTRAINT,
    /** A multiplier on the shortfall in the advantages: the policy itself avoids the tail. */
    POLICY;

    /** Whether the limit acts on what the critics predict instead of on the policy. */
    public boolean actsOnCritics() {
      return this == PENALTY || this == CONSTRAINT;
    }
  }

  /**
   * How the Lagrange multiplier of the limit is updated; section {@code risk.multiplier}.
   *
   * @param rate how much a violation adds to the multiplier per update; at least 0; default 0.005
   * @param gain weight of the present violation beside the accumulated one, which damps
   *     oscillations; acts in mode {@code policy}; at least 0; default 1
   * @param max largest multiplier; positive; default 10
   */
  public record Multiplier(double rate, double gain, double max) {
    public Multiplier {
      Check.notNegative("risk.multiplier.rate", rate);
      Check.notNegative("risk.multiplier.gain", gain);
      Check.positive("risk.multiplier.max", max);
    }

    public static Multiplier defaults() {
      return new Multiplier(0.005, 1.0, 10.0);
    }
  }

  /**
   * The weight of the predicted CVaR in the loss; section {@code risk.penalty}.
   *
   * @param weight weight once ramped in, or a schedule; at least 0; default 0.5
   * @param weightCap upper bound of the weight; at least 0; default 0.7
   * @param rampUpdates updates in a row with enough explained variance until the full weight
   *     applies; at least 1; default 4
   * @param thresholdExplainedVariance explained variance of the last update below which the weight
   *     is 0 and the ramp restarts; in [-1, 1]; default 0.25
   */
  public record Penalty(
      CoefficientSchedule weight,
      double weightCap,
      int rampUpdates,
      double thresholdExplainedVariance) {
    public Penalty {
      Check.ends("risk.penalty.weight", weight, Check::notNegative);
      Check.notNegative("risk.penalty.weightCap", weightCap);
      Check.atLeast("risk.penalty.rampUpdates", rampUpdates, 1);
      Check.within("risk.penalty.thresholdExplainedVariance", thresholdExplainedVariance, -1, 1);
    }

    public static Penalty defaults() {
      return new Penalty(CoefficientSchedule.constant(0.5), 0.7, 4, 0.25);
    }
  }
}
