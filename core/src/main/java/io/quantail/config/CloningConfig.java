package io.quantail.config;

/**
 * Advantage-weighted regression toward the agent's own better actions; section {@code ppo.cloning}.
 *
 * @param coefficient weight of the term before the decay; at least 0; default 0: term off
 * @param finalCoefficient weight after the decay; at least 0; default 0
 * @param beta temperature that divides the normalised advantage; positive; default 5
 * @param warmupSteps environment steps before the decay starts; at least 0; default 0
 * @param decaySteps environment steps the decay takes; at least 0; default 0: no decay
 */
public record CloningConfig(
    double coefficient, double finalCoefficient, double beta, long warmupSteps, long decaySteps) {
  public CloningConfig {
    Check.notNegative("ppo.cloning.coefficient", coefficient);
    Check.notNegative("ppo.cloning.finalCoefficient", finalCoefficient);
    Check.positive("ppo.cloning.beta", beta);
    Check.atLeast("ppo.cloning.warmupSteps", warmupSteps, 0);
    Check.atLeast("ppo.cloning.decaySteps", decaySteps, 0);
  }

  public static CloningConfig defaults() {
    return new CloningConfig(0.0, 0.0, 5.0, 0, 0);
  }
}
