package io.quantail.config;

import io.quantail.config.Check.Setting;

/**
 * Limits on the KL divergence between the new policy and the one that collected the rollout;
 * section {@code ppo.kl}.
 *
 * @param target target KL divergence of an update; positive, or null: no limit; default null
 * @param earlyStop whether an update stops when the rules below fire; default true
 * @param smooth whether the rules also use the smoothed KL divergence; default true
 * @param smoothWindow optimiser steps in the moving mean; at least 1; default 10
 * @param smoothAlpha weight of the newest value in an exponential mean that replaces the moving
 *     mean; in (0, 1], or null: moving mean; default null
 * @param consecutive optimiser steps above target in a row that stop the update; at least 0;
 *     default 0: rule off
 * @param absoluteStopFactor multiple of the target that stops the update at once; positive, or
 *     null: rule off; default 2.5
 * @param exceedStopFraction fraction of an epoch's optimiser steps above target that stops the
 *     update; in [0, 1]; 0: rule off; default 0.25
 * @param epochDecay factor on the number of epochs after a stop; in (0, 1]; default 1
 * @param penalty initial weight of the KL divergence in the loss; 0 for none, otherwise between
 *     {@code penaltyMin} and {@code penaltyMax}; default 0
 * @param penaltyMin lower bound of the adapted weight; positive; default 0.0001
 * @param penaltyMax upper bound of the adapted weight; at least {@code penaltyMin}; default 1
 */
public record KlConfig(
    Double target,
    boolean earlyStop,
    boolean smooth,
    int smoothWindow,
    Double smoothAlpha,
    int consecutive,
    Double absoluteStopFactor,
    double exceedStopFraction,
    double epochDecay,
    double penalty,
    double penaltyMin,
    double penaltyMax) {
  public KlConfig {
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

  public static KlConfig defaults() {
    return new KlConfig(null, true, true, 10, null, 0, 2.5, 0.25, 1.0, 0.0, 1e-4, 1.0);
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
