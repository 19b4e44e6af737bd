package io.quantail.study.sweep;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.study.task.AgentTask;
import io.quantail.study.task.OutcomeFile;
import io.quantail.study.task.TaskSettings;
import io.quantail.train.Trainer;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains and evaluates one agent of a sweep. Agents of a market are evaluated on validation bars,
 * so that the test bars stay unused while settings are chosen. The directory of the attempt becomes
 * the agent's run.
 *
 * @param name of the agent
 * @param settings of its run
 * @param threads that train it; they do not change the result
 * @param destination run directory of the agent
 */
public record SweepTask(
    String name, TaskSettings settings, int threads, String destination)
    implements AgentTask<SweepTask.Outcome> {

  /**
   * Outcome of a training.
   *
   * @param score mean return of the episodes, or of the passes over validation bars
   * @param steps environment steps of the training
   * @param report file name of its report; null if it has none
   */
  public record Outcome(double score, long steps, @Nullable String report)
      implements Serializable {}

  @Override
  public SweepTask withSettings(TaskSettings other) {
    return new SweepTask(name, other, threads, destination);
  }

  @Override
  public Class<Outcome> outcomeType() {
    return Outcome.class;
  }

  @Override
  public Outcome run(Path directory) {
    RunConfig config = config();
    EnvironmentFactory factory = EnvironmentRegistry.of(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory, DataPart.VALIDATION);
    List<RunListener> listeners = new ArrayList<>(RunListenerProvider.load(config));
    listeners.add(RunListener.cancelOnInterrupt(name));
    try (Trainer trainer = new Trainer(config("training.threads=" + threads), factory)) {
      RunResult result =
          new TrainingRun(trainer, factory, evaluation, listeners)
              .validating(ValidationSchedule.of(config, factory))
              .run(() -> RunDirectory.ofAttempt(directory, Path.of(destination), config))
              .orElseThrow();
      double score = Objects.requireNonNull(result.evaluation()).score();
      if (!Double.isFinite(score)) {
        throw new IllegalStateException("its score is " + score);
      }
      String report =
          result.report() == null ? null : Path.of(result.report()).getFileName().toString();
      Outcome outcome = new Outcome(score, result.steps(), report);
      OutcomeFile.write(directory, this, outcome);
      return outcome;
    }
  }
}
