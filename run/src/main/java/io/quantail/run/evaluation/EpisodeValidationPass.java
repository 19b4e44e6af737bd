package io.quantail.run.evaluation;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.ActingModel;
import io.quantail.random.RandomStream;
import io.quantail.train.EvaluationEpisodes;
import io.quantail.train.Evaluator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A validation pass by whole episodes of held-out environments. All passes of a training play the
 * same episodes, which are not those of its final evaluation.
 */
public final class EpisodeValidationPass implements ValidationPass {
  private final EnvironmentFactory environments;
  private final Evaluator.Settings settings;
  private @Nullable EvaluationEpisodes latest; // null before the first pass

  private EpisodeValidationPass(EnvironmentFactory environments, Evaluator.Settings settings) {
    this.environments = environments;
    this.settings = settings;
  }

  /**
   * The pass of a training.
   *
   * @param training environments of training
   */
  static EpisodeValidationPass of(RunConfig config, EnvironmentFactory training) {
    EvaluationConfig episodes =
        new EvaluationConfig(
            config.training().validationEpisodes(), true, config.evaluation().maxEpisodeSteps());
    long seed = RandomStream.of(config.seed(), "validation", 0).nextLong();
    return new EpisodeValidationPass(
        training.heldOut(),
        new Evaluator.Settings(
            episodes, config.environment().faults(), config.risk().alpha(), seed));
  }

  @Override
  public long decisions() {
    return settings.config().episodes(); // a lower bound: lengths are not known before
  }

  @Override
  public Map<String, Double> run(ActingModel agent) {
    EvaluationEpisodes played = Evaluator.play(agent, environments, settings);
    latest = played;
    return Map.of(SCORE, played.summary().meanReturn());
  }

  /** The episodes of the last pass; null before the first. */
  public @Nullable EvaluationEpisodes latest() {
    return latest;
  }
}
