package io.quantail.config;

/**
 * Collection of experience and advantage estimation; section {@code rollout}.
 *
 * @param steps steps of each environment per rollout; at least 1; default 128
 * @param gamma discount; in (0, 1]; default 0.99
 * @param gaeLambda decay of generalised advantage estimation; in [0, 1]; default 0.95
 * @param normalizeAdvantagePerEnvironment whether each environment's advantages are normalised by
 *     their own mean and deviation; default false: over the whole rollout
 * @param advantageFloor least deviation that advantages are divided by, as a fraction of the
 *     deviation of returns; in [0, 1]; default 0: advantages are always normalised to a deviation
 *     of one, however little they say
 * @param lanes groups of environments that are collected in parallel; at least 1 and at most {@code
 *     environment.count}; changes results, unlike {@code training.threads}; default 2
 */
public record RolloutConfig(
    int steps,
    double gamma,
    double gaeLambda,
    boolean normalizeAdvantagePerEnvironment,
    double advantageFloor,
    int lanes) {
  public RolloutConfig {
    Check.atLeast("rollout.steps", steps, 1);
    Check.positiveFraction("rollout.gamma", gamma);
    Check.fraction("rollout.gaeLambda", gaeLambda);
    Check.within("rollout.advantageFloor", advantageFloor, 0, 1);
    Check.atLeast("rollout.lanes", lanes, 1);
  }

  public static RolloutConfig defaults() {
    return new RolloutConfig(128, 0.99, 0.95, false, 0, 2);
  }
}
