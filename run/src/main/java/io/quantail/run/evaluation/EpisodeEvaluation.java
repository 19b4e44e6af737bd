package io.quantail.run.evaluation;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.Agent;
import io.quantail.train.Evaluator;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;

/**
 * Evaluation by the returns of whole episodes.
 *
 * @param environments that the episodes are played in
 * @param settings number of episodes, how actions are chosen, faults, and the seed of the episodes
 */
public record EpisodeEvaluation(EnvironmentFactory environments, Evaluator.Settings settings)
    implements EvaluationProtocol {

  /** Evaluation with the settings of a run. */
  public static EpisodeEvaluation of(RunConfig config, EnvironmentFactory environments, long seed) {
    return of(config, environments, config.evaluation(), seed);
  }

  /** Evaluation with the settings of a run, except for the episodes. */
  public static EpisodeEvaluation of(
      RunConfig config, EnvironmentFactory environments, EvaluationConfig episodes, long seed) {
    return new EpisodeEvaluation(
        environments,
        new Evaluator.Settings(
            episodes, config.environment().faults(), config.risk().alpha(), seed));
  }

  /**
   * Evaluation while settings are still being chosen, in {@link EnvironmentFactory#heldOut}
   * environments. No episode is played twice where their number is finite.
   *
   * @param training environments of training
   */
  public static EpisodeEvaluation heldOut(
      RunConfig config, EnvironmentFactory training, long seed) {
    EnvironmentFactory heldOut = training.heldOut();
    EvaluationConfig configured = config.evaluation();
    int episodes =
        Math.min(configured.episodes(), heldOut.differentEpisodes().orElse(configured.episodes()));
    return of(
        config,
        heldOut,
        new EvaluationConfig(episodes, configured.deterministic(), configured.maxEpisodeSteps()),
        seed);
  }

  @Override
  public String scoreDescription() {
    return "mean return of %d episodes".formatted(settings.config().episodes());
  }

  @Override
  public void prepare(Path directory) {
    // Settings and snapshots are sufficient.
  }

  @Override
  public EpisodeEvaluationResult evaluate(Agent agent, ReturnScale scale) {
    return new EpisodeEvaluationResult(
        Evaluator.evaluate(agent, environments, settings),
        settings.config().deterministic(),
        settings.seed());
  }
}
