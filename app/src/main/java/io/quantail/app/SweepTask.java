package io.quantail.app;

import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.Environments;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationResult;
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
    RunConfig config = ConfigLoader.parse(settings, name, List.of());
    EnvironmentFactory factory = Environments.of(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory, DataPart.VALIDATION);
    evaluation.prepare(directory);
    try (Trainer trainer = new Trainer(withThreads(), factory)) {
      TrainedRun.train(trainer, config, factory.dataFingerprint(), directory);
      EvaluationResult result = evaluation.evaluate(trainer.agent(), trainer.returnScale());
      if (!Double.isFinite(result.score())) {
        throw new IllegalStateException("its score is " + result.score());
      }
      RunDirectory.complete(directory, Path.of(place), trainer.steps(), result);
      Outcome outcome = new Outcome(result.score(), trainer.steps(), RunReport.fileName(result));
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }

  private RunConfig withThreads() {
    return ConfigLoader.parse(settings, name, List.of("training.threads=" + threads));
  }
}
