package io.quantail.config;

/**
 * How a trained agent is evaluated; section {@code evaluation}.
 *
 * @param episodes episodes played; at least 1; default 100
 * @param deterministic whether the most likely action is taken instead of a sample; default true
 * @param maxEpisodeSteps steps after which an episode that has not ended is truncated and counted;
 *     at least 1; default 100000
 */
public record EvaluationConfig(int episodes, boolean deterministic, int maxEpisodeSteps) {
  public EvaluationConfig {
    Check.atLeast("evaluation.episodes", episodes, 1);
    Check.atLeast("evaluation.maxEpisodeSteps", maxEpisodeSteps, 1);
  }

  public static EvaluationConfig defaults() {
    return new EvaluationConfig(100, true, 100_000);
  }
}
