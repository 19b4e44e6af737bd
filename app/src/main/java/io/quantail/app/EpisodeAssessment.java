package io.quantail.app;

import io.quantail.app.report.EpisodeReport;
import io.quantail.app.report.RunFacts;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.rollout.Agent;
import io.quantail.run.RunLayout;
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
  public Verdict judge(Agent agent, ReturnScale scale) {
    return new Episodes(
        Evaluator.evaluate(agent, environments, settings, config.environment().faults(), seed),
        settings.deterministic(),
        seed);
  }

  /**
   * @param numbers of the episodes
   * @param deterministic whether the most likely actions were taken
   * @param seed of the episodes
   */
  record Episodes(Evaluator.Evaluation numbers, boolean deterministic, long seed)
      implements Verdict {
    @Override
    public double score() {
      return numbers.meanReturn();
    }

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

    @Override
    public String reportName() {
      return RunLayout.REPORT;
    }

    @Override
    public String report(RunFacts run, RunConfig config) {
      return EpisodeReport.html(
          run,
          new EpisodeReport.Facts(
              numbers.episodes(),
              deterministic,
              numbers.meanReturn(),
              numbers.stdReturn(),
              numbers.minReturn(),
              numbers.maxReturn(),
              numbers.meanLength(),
              seed));
    }
  }
}
