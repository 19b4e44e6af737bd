package io.quantail.config;

/**
 * The limit on the lower tail, {@code CVaR >= limit}; section {@code risk}.
 *
 * @param mode how the limit acts: {@code off}, {@code penalty}, {@code constraint} or {@code
 *     policy}; default {@code off}: the tail is only measured
 * @param measure the quantity whose lower tail is limited: {@code rewards} of single steps or
 *     {@code returns}; {@code penalty} and {@code constraint} act on what the critics predict and
 *     need {@code returns}; default {@code rewards}
 * @param alpha fraction of the worst outcomes whose mean is the CVaR; in (0, 1]; default 0.05
 * @param limit lower bound of the CVaR, in units of the reward; any finite number, negative for a
 *     loss; default null: none, allowed only with {@code off}
 * @param margin fraction of the limit's size that {@code policy} keeps as a reserve; in [0, 1);
 *     default 0.05
 * @param winsor fraction of samples at each end that is winsorised before the CVaR of a rollout is
 *     computed; in [0, 0.5); default 0: none, because a limit acts on the worst outcomes
 * @param smoothing weight of the past in the moving averages of the measured CVaR; in [0, 1);
 *     default 0.8
 * @param method how the CVaR is read from quantiles: {@code point-mass} or {@code interpolated};
 *     default {@code point-mass}
 * @param cap largest size of the term in the loss, in {@code penalty} and {@code constraint};
 *     positive; beyond it the term has no gradient; default null: none
 * @param multiplier section {@code risk.multiplier}
 * @param penalty section {@code risk.penalty}
 */
public record RiskConfig(
    RiskMode mode,
    RiskMeasure measure,
    double alpha,
    Double limit,
    double margin,
    double winsor,
    double smoothing,
    CvarMethod method,
    Double cap,
    RiskMultiplierConfig multiplier,
    RiskPenaltyConfig penalty) {
  public RiskConfig {
    Check.present("risk.mode", mode);
    Check.present("risk.measure", measure);
    Check.positiveFraction("risk.alpha", alpha);
    if (limit != null) {
      Check.finite("risk.limit", limit);
    } else if (mode != RiskMode.OFF) {
      throw new ConfigException(
          "risk.limit needs a number when risk.mode is %s, for example -0.02; was null"
              .formatted(Names.written(mode)));
    }
    Check.decay("risk.margin", margin);
    Check.within("risk.winsor", winsor, 0, Math.nextDown(0.5));
    Check.decay("risk.smoothing", smoothing);
    Check.present("risk.method", method);
    if (cap != null) {
      Check.positive("risk.cap", cap);
    }
    if (actsOnCritics(mode) && measure != RiskMeasure.RETURNS) {
      throw new ConfigException(
          "risk.measure must be returns when risk.mode is %s, which acts on what the critics predict; was %s"
              .formatted(Names.written(mode), Names.written(measure)));
    }
  }

  public static RiskConfig defaults() {
    return new RiskConfig(
        RiskMode.OFF,
        RiskMeasure.REWARDS,
        0.05,
        null,
        0.05,
        0.0,
        0.8,
        CvarMethod.POINT_MASS,
        null,
        RiskMultiplierConfig.defaults(),
        RiskPenaltyConfig.defaults());
  }

  private static boolean actsOnCritics(RiskMode mode) {
    return mode == RiskMode.PENALTY || mode == RiskMode.CONSTRAINT;
  }
}
