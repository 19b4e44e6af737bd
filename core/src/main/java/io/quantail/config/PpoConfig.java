package io.quantail.config;

import io.quantail.config.Check.Setting;
import org.jspecify.annotations.Nullable;

/**
 * The policy update; section {@code ppo}.
 *
 * @param epochs passes over a rollout; in [1, 100]; default 10
 * @param batchSize transitions per optimiser step; at least 1, a multiple of {@code
 *     sequenceLength}, and a divisor of the transitions of a rollout; default 256
 * @param microbatches microbatches that each batch is split into and that are computed in parallel;
 *     at least 1 and at most one per sequence; changes results, unlike {@code training.threads};
 *     default 2
 * @param sequenceLength steps of the windows that a rollout is split into; at least 1 and a divisor
 *     of {@code rollout.steps}; default 32
 * @param clipRange half-width of the interval around 1 in which the probability ratio is free; in
 *     (0, 1); a schedule may end at 0; default 0.2
 * @param clipRangeWarmup clip range of the first update; in (0, 1) and, when there is a warm-up, at
 *     least {@code clipRange}; default 0.2
 * @param clipRangeWarmupUpdates updates over which the clip range moves from {@code
 *     clipRangeWarmup} to {@code clipRange}; at least 0, and 0 when {@code clipRange} is a
 *     schedule; default 0: no warm-up
 * @param ratioBound how the log-ratio is bounded before exp: {@code hard} or {@code smooth};
 *     default {@code hard}
 * @param kl limits on the KL divergence from the collecting policy
 * @param entropy reward for exploration
 * @param cloning advantage-weighted regression toward own actions
 */
public record PpoConfig(
    int epochs,
    int batchSize,
    int microbatches,
    int sequenceLength,
    CoefficientSchedule clipRange,
    double clipRangeWarmup,
    int clipRangeWarmupUpdates,
    RatioBound ratioBound,
    Kl kl,
    Entropy entropy,
    Cloning cloning) {
  public PpoConfig {
    Check.within("ppo.epochs", epochs, 1, 100);
    Check.atLeast("ppo.batchSize", batchSize, 1);
    Check.atLeast("ppo.microbatches", microbatches, 1);
    Check.atLeast("ppo.sequenceLength", sequenceLength, 1);
    checkClipRange(clipRange);
    Check.insideUnit("ppo.clipRangeWarmup", clipRangeWarmup);
    Check.atLeast("ppo.clipRangeWarmupUpdates", clipRangeWarmupUpdates, 0);
    // Without a warm-up its value is unused: `--set ppo.clipRange=0.3` alone must stay possible.
    if (clipRangeWarmupUpdates > 0) {
      Check.notBeside(
          "ppo.clipRange", clipRange, "ppo.clipRangeWarmupUpdates", "0", clipRangeWarmupUpdates);
      Check.notBelow(
          new Setting("ppo.clipRangeWarmup", clipRangeWarmup),
          new Setting("ppo.clipRange", clipRange.from()));
    }
    Check.present("ppo.ratioBound", ratioBound);
    Check.present("ppo.kl", kl);
    Check.present("ppo.entropy", entropy);
    Check.present("ppo.cloning", cloning);
  }

  public static PpoConfig defaults() {
    return new PpoConfig(
        10,
        256,
        2,
        32,
        CoefficientSchedule.constant(0.2),
        0.2,
        0,
        RatioBound.HARD,
        Kl.defaults(),
        Entropy.defaults(),
        Cloning.defaults());
  }

  /** A clip range of 0 stops the policy, so only the end of a schedule may have it. */
  private static void checkClipRange(CoefficientSchedule clipRange) {
    Check.present("ppo.clipRange", clipRange);
    if (clipRange.isConstant()) {
      Check.insideUnit("ppo.clipRange", clipRange.from());
    } else {
      Check.insideUnit("ppo.clipRange.from", clipRange.from());
      Check.decay("ppo.clipRange.to", clipRange.to());
    }
  }

  /**
   * Advantage-weighted regression toward the agent's own better actions; section {@code
   * ppo.cloning}.
   *
   * @param coefficient weight of the term before the decay, or a schedule in place of the decay; at
   *     least 0; default 0: term off
   * @param finalCoefficient weight after the decay; at least 0; default 0
   * @param beta temperature that divides the normalised advantage; positive; default 5
   * @param warmupSteps environment steps before the decay starts; at least 0; default 0
   * @param decaySteps environment steps the decay takes; at least 0; default 0: no decay
   */
  public record Cloning(
      CoefficientSchedule coefficient,
      double finalCoefficient,
      double beta,
      long warmupSteps,
      long decaySteps) {
    private static final String COEFFICIENT = "ppo.cloning.coefficient";

    public Cloning {
      Check.ends(COEFFICIENT, coefficient, Check::notNegative);
      Check.notNegative("ppo.cloning.finalCoefficient", finalCoefficient);
      Check.positive("ppo.cloning.beta", beta);
      Check.atLeast("ppo.cloning.warmupSteps", warmupSteps, 0);
      Check.atLeast("ppo.cloning.decaySteps", decaySteps, 0);
      alone(coefficient, "finalCoefficient", finalCoefficient);
      alone(coefficient, "warmupSteps", warmupSteps);
      alone(coefficient, "decaySteps", decaySteps);
    }

    private static void alone(CoefficientSchedule coefficient, String other, Number value) {
      Check.notBeside(COEFFICIENT, coefficient, "ppo.cloning." + other, "0", value);
    }

    public static Cloning defaults() {
      return new Cloning(CoefficientSchedule.constant(0), 0.0, 5.0, 0, 0);
    }
  }

  /**
   * The weight of entropy in the loss and how it fades; section {@code ppo.entropy}.
   *
   * @param coefficient weight before the decay, or a schedule in place of the decay; at least 0;
   *     default 0.001
   * @param finalCoefficient weight after the decay; at least 0; default null: the same as {@code
   *     coefficient}
   * @param minimum smallest weight that is used; at least 0; default 0
   * @param decayUpdates updates the decay takes; at least 0; default 0: no decay
   * @param plateauWindow updates over which the slope of entropy is measured before the decay may
   *     start; 0 or at least 2; default 0: the decay starts at once
   * @param plateauTolerance absolute slope below which entropy counts as level; at least 0; default
   *     0
   * @param plateauMinUpdates earliest update at which the decay may start; at least 0; default 0
   */
  public record Entropy(
      CoefficientSchedule coefficient,
      @Nullable Double finalCoefficient,
      double minimum,
      int decayUpdates,
      int plateauWindow,
      double plateauTolerance,
      int plateauMinUpdates) {
    private static final String COEFFICIENT = "ppo.entropy.coefficient";

    public Entropy {
      Check.ends(COEFFICIENT, coefficient, Check::notNegative);
      if (finalCoefficient != null) {
        Check.notNegative("ppo.entropy.finalCoefficient", finalCoefficient);
      }
      Check.notNegative("ppo.entropy.minimum", minimum);
      Check.atLeast("ppo.entropy.decayUpdates", decayUpdates, 0);
      Check.zeroOrAtLeast("ppo.entropy.plateauWindow", plateauWindow, 2);
      Check.notNegative("ppo.entropy.plateauTolerance", plateauTolerance);
      Check.atLeast("ppo.entropy.plateauMinUpdates", plateauMinUpdates, 0);
      alone(coefficient, "finalCoefficient", "null", finalCoefficient);
      alone(coefficient, "decayUpdates", "0", decayUpdates);
      alone(coefficient, "plateauWindow", "0", plateauWindow);
      alone(coefficient, "plateauTolerance", "0", plateauTolerance);
      alone(coefficient, "plateauMinUpdates", "0", plateauMinUpdates);
    }

    private static void alone(
        CoefficientSchedule coefficient, String other, String unused, @Nullable Number value) {
      Check.notBeside(COEFFICIENT, coefficient, "ppo.entropy." + other, unused, value);
    }

    public static Entropy defaults() {
      return new Entropy(CoefficientSchedule.constant(0.001), null, 0.0, 0, 0, 0.0, 0);
    }
  }

  /**
   * Limits on the KL divergence between the new policy and the one that collected the rollout;
   * section {@code ppo.kl}. The rules see the divergence of a minibatch before its optimiser step.
   *
   * @param target target KL divergence of an update; positive, or null: no limit; default null
   * @param earlyStop whether an update stops when the rules below fire; default true
   * @param smooth whether the rules also use the smoothed KL divergence; default true
   * @param smoothWindow minibatches in the moving mean; at least 1; default 10
   * @param smoothAlpha weight of the newest value in an exponential mean that replaces the moving
   *     mean; in (0, 1], or null: moving mean; default null
   * @param consecutive minibatches above target in a row that stop the update; at least 0; default
   *     0: rule off
   * @param absoluteStopFactor multiple of the target that stops the update at once; positive, or
   *     null: rule off; default 2.5
   * @param exceedStopFraction fraction of an epoch's minibatches above target that stops the
   *     update; in [0, 1]; 0: rule off; default 0.25
   * @param epochDecay factor on the number of epochs after a stop; in (0, 1]; default 1
   * @param penalty initial weight of the KL divergence in the loss; 0 for none, otherwise between
   *     {@code penaltyMin} and {@code penaltyMax}; default 0
   * @param penaltyMin lower bound of the adapted weight; positive; default 0.0001
   * @param penaltyMax upper bound of the adapted weight; at least {@code penaltyMin}; default 1
   */
  public record Kl(
      @Nullable Double target,
      boolean earlyStop,
      boolean smooth,
      int smoothWindow,
      @Nullable Double smoothAlpha,
      int consecutive,
      Double absoluteStopFactor,
      double exceedStopFraction,
      double epochDecay,
      double penalty,
      double penaltyMin,
      double penaltyMax) {
    public Kl {
      if (target != null) {
        Check.positive("ppo.kl.target", target);
      }
      Check.atLeast("ppo.kl.smoothWindow", smoothWindow, 1);
      if (smoothAlpha != null) {
        Check.positiveFraction("ppo.kl.smoothAlpha", smoothAlpha);
      }
      Check.atLeast("ppo.kl.consecutive", consecutive, 0);
      if (absoluteStopFactor != null) {
        Check.positive("ppo.kl.absoluteStopFactor", absoluteStopFactor);
      }
      Check.fraction("ppo.kl.exceedStopFraction", exceedStopFraction);
      Check.positiveFraction("ppo.kl.epochDecay", epochDecay);
      checkPenalty(penalty, penaltyMin, penaltyMax);
    }

    public static Kl defaults() {
      return new Kl(null, true, true, 10, null, 0, 2.5, 0.25, 1.0, 0.0, 1e-4, 1.0);
    }

    private static void checkPenalty(double penalty, double penaltyMin, double penaltyMax) {
      Check.notNegative("ppo.kl.penalty", penalty);
      Check.positive("ppo.kl.penaltyMin", penaltyMin);
      Check.positive("ppo.kl.penaltyMax", penaltyMax);
      Setting initial = new Setting("ppo.kl.penalty", penalty);
      Setting low = new Setting("ppo.kl.penaltyMin", penaltyMin);
      Setting high = new Setting("ppo.kl.penaltyMax", penaltyMax);
      Check.notBelow(high, low);
      if (penalty > 0) {
        Check.notBelow(initial, low);
        Check.notBelow(high, initial);
      }
    }
  }

  /** How the log-ratio is limited to 20 in magnitude before the exponential. */
  public enum RatioBound {
    /** Clipped; a sample beyond the bound has no gradient. */
    HARD,
    /** {@code 20 tanh(l / 20)}: nearly the identity near 0, and a gradient everywhere. */
    SMOOTH
  }
}
