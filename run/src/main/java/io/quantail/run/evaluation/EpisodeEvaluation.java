package io.quantail.run.evaluation;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.ActingModel;
import io.quantail.train.EvaluationEpisodes;
import io.quantail.train.Evaluator;
import io.quantail.value.ReturnScale;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Evaluation by the returns of whole episodes.
 *
 * @param environments that the episodes are played in
 * @param settings number of episodes, how actions are chosen, faults, and the seed of the episodes
 * @param limited the CVaR limit to measure; null for none
 */
public record EpisodeEvaluation(
    EnvironmentFactory environments, Evaluator.Settings settings, @Nullable Limited limited)
    implements EvaluationProtocol {

  /**
   * What is needed to measure a limit.
   *
   * @param risk settings with a limit
   * @param gamma discount of the run
   */
  public record Limited(RiskConfig risk, double gamma) {
    static @Nullable Limited of(RunConfig config) {
      return config.risk().limit() == null
          ? null
          : new Limited(config.risk(), config.rollout().gamma());
    }
  }

  /** Evaluation with the settings of a run. */
  public static EpisodeEvaluation of(RunConfig config, EnvironmentFactory environments, long seed) {
    return of(config, environments, config.evaluation(), seed);
  }

  /** Evaluation with the settings of a run, except for the episodes. */
  public static EpisodeEvaluation of(
      RunConfig config, EnvironmentFactory environments, EvaluationConfig episodes, long seed) {
    return new EpisodeEvaluation(
        environments, settings(config, episodes, seed), Limited.of(config));
  }

  private static Evaluator.Settings settings(
      RunConfig config, EvaluationConfig episodes, long seed) {
    return new Evaluator.Settings(
        episodes, config.environment().faults(), config.risk().alpha(), seed);
  }

  /**
   * Evaluation while settings are still being chosen, without a limit, in {@link
   * EnvironmentFactory#heldOut} environments. No episode is played twice where their number is
   * finite.
   *
   * @param training environments of training
   */
  public static EpisodeEvaluation heldOut(
      RunConfig config, EnvironmentFactory training, long seed) {
    EnvironmentFactory heldOut = training.heldOut();
    EvaluationConfig configured = config.evaluation();
    int episodes =
        Math.min(configured.episodes(), heldOut.differentEpisodes().orElse(configured.episodes()));
    EvaluationConfig different =
        new EvaluationConfig(episodes, configured.deterministic(), configured.maxEpisodeSteps());
    return new EpisodeEvaluation(heldOut, settings(config, different, seed), null);
  }

  @Override
  public String scoreDescription() {
    return String.format(Locale.ROOT, "mean return of %d episodes", settings.config().episodes());
  }

  @Override
  public void prepare(Path directory) {
    // Settings and snapshots are sufficient.
  }

  @Override
  public EpisodeEvaluationResult evaluate(ActingModel agent, ReturnScale scale) {
    EvaluationEpisodes played = Evaluator.play(agent, environments, settings);
    return new EpisodeEvaluationResult(
        played.summary(),
        settings.config().deterministic(),
        settings.seed(),
        limited == null
            ? null
            : EpisodeLimit.of(played, limited.risk(), limited.gamma(), settings.seed()),
        played.episodes());
  }
}
