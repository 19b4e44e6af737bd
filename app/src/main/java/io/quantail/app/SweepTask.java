package io.quantail.app;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.Environments;
import io.quantail.run.settings.YamlConfig;
import io.quantail.task.AgentTask;
import io.quantail.task.OutcomeFile;
import io.quantail.train.TrainedRun;
import io.quantail.train.Trainer;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * Trains an agent of a sweep and judges it, as {@code train} does but for markets: there on
 * validation bars, so that those of the test stay unseen while settings are chosen. The directory
 * of the attempt becomes the agent's run.
 *
 * @param name of the agent
 * @param settings of its run, as YAML
 * @param threads that train it; they do not change the result
 * @param place where the run is going to be
 */
record SweepTask(String name, String settings, int threads, String place)
    implements AgentTask<SweepTask.Outcome> {

  /**
   * @param score mean return of the episodes, or passes over validation bars, that it was judged by
   * @param steps environment steps it learnt from
   * @param report name of its page
   */
  record Outcome(double score, long steps, String report) implements Serializable {}

  @Override
  public Class<Outcome> outcomeType() {
    return Outcome.class;
  }

  @Override
  public Outcome run(Path directory) throws InterruptedException {
    RunConfig config = YamlConfig.parse(settings, name, List.of());
    EnvironmentFactory factory = Environments.of(config);
    Assessment assessment = Assessment.of(config, factory, MarketPart.VALIDATION);
    assessment.prepare(directory);
    try (Trainer trainer = new Trainer(withThreads(), factory)) {
      TrainedRun.train(trainer, config, factory.dataFingerprint(), directory);
      Verdict verdict = assessment.judge(trainer.agent(), trainer.returnScale());
      if (!Double.isFinite(verdict.score())) {
        throw new IllegalStateException("its score is " + verdict.score());
      }
      RunDirectory.complete(directory, Path.of(place), trainer.steps(), verdict);
      Outcome outcome = new Outcome(verdict.score(), trainer.steps(), verdict.reportName());
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }

  private RunConfig withThreads() {
    return YamlConfig.parse(settings, name, List.of("training.threads=" + threads));
  }
}
