package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.config.OptimizerName;
import io.quantail.config.UtilityNorm;

/**
 * The constants of {@link Upgd}.
 *
 * @param adaptive whether steps follow normalised moments (Adam form) or the gradient (SGD form)
 * @param norm how utilities are compared
 * @param sigma size of the noise
 * @param betaUtility decay of the utility
 * @param beta1 decay of the first moment (Adam form)
 * @param beta2 decay of the second moment (Adam form)
 * @param epsilon term that keeps the divisor from zero (Adam form)
 * @param weightDecay decay of weights per step and unit of learning rate
 */
record UpgdRule(
    boolean adaptive,
    UtilityNorm norm,
    double sigma,
    double betaUtility,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay) {

  /** The rule named {@code upgd}, {@code adaptive-upgd} or {@code upgdw}. */
  static UpgdRule of(OptimizerConfig config) {
    return new UpgdRule(
        config.name() != OptimizerName.UPGD,
        config.utilityNorm(),
        config.sigma(),
        config.name() == OptimizerName.UPGDW ? config.beta2() : config.betaUtility(),
        config.beta1(),
        config.beta2(),
        config.epsilon(),
        config.weightDecay());
  }
}
