package io.quantail.app;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.rollout.Agent;
import io.quantail.train.Evaluator;
import java.nio.file.Path;

/**
 * Whole episodes, and the returns they brought.
 *
 * @param config of the run
 * @param environments as in training
 * @param settings how many episodes, and how
 * @param seed of the episodes
 */
record EpisodeAssessment(
    RunConfig config, EnvironmentFactory environments, EvaluationConfig settings, long seed)
    implements Assessment {

  @Override
  public void prepare(Path directory) {
    // settings and snapshots are all it takes
  }

  @Override
  public Verdict judge(Agent agent) {
    return new Episodes(
        Evaluator.evaluate(agent, environments, settings, config.environment().faults(), seed),
        settings.deterministic());
  }

  /**
   * @param numbers of the episodes
   * @param deterministic whether the most likely actions were taken
   */
  record Episodes(Evaluator.Evaluation numbers, boolean deterministic) implements Verdict {
    @Override
    public String line() {
      return Summary.evaluation(numbers, deterministic);
    }

    @Override
    public String details() {
      return "";
    }

    @Override
    public void write(Path directory) {
      // the line says it all
    }
  }
}
