package io.quantail.study.sweep;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunReader;
import io.quantail.run.RunResult;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.study.directory.StudyDirectory;
import io.quantail.study.task.AgentTask;
import io.quantail.study.task.OutcomeFile;
import io.quantail.study.task.TaskSettings;
import io.quantail.train.Trainer;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
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
 * @param rung of successive halving at which the training ends; null to train to the end
 * @param environments in which it trains, which no other process can have; null for those that the
 *     settings name
 */
public record SweepTask(
    String name,
    TaskSettings settings,
    int threads,
    String destination,
    @Nullable Rung rung,
    @Nullable EnvironmentFactory environments)
    implements AgentTask<SweepTask.Outcome> {

  /**
   * Rung of successive halving.
   *
   * @param steps environment steps at its end
   * @param parent run directory of the agent at the rung before; null at the first
   */
  public record Rung(long steps, @Nullable String parent) implements Serializable {}

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
    return new SweepTask(name, other, threads, destination, rung, environments);
  }

  /** The same task under another name. */
  public SweepTask named(String other, StudyDirectory place) {
    return new SweepTask(other, settings, threads, place.run(other).toString(), rung, environments);
  }

  @Override
  public Optional<Path> input() {
    return Optional.ofNullable(rung).map(Rung::parent).map(Path::of);
  }

  @Override
  public SweepTask withInput(Path copy) {
    Rung moved = new Rung(Objects.requireNonNull(rung).steps(), copy.toString());
    return new SweepTask(name, settings, threads, destination, moved, environments);
  }

  @Override
  public Class<Outcome> outcomeType() {
    return Outcome.class;
  }

  @Override
  public Outcome run(Path directory) {
    RunConfig config = config();
    EnvironmentFactory factory =
        environments == null ? EnvironmentRegistry.of(config) : environments;
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory, DataPart.VALIDATION);
    List<RunListener> listeners = new ArrayList<>(RunListenerProvider.load(config));
    listeners.add(RunListener.cancelOnInterrupt(name));
    try (Trainer trainer = new Trainer(config("training.threads=" + threads), factory)) {
      RunResult result =
          new TrainingRun(trainer, factory, evaluation, listeners)
              .validating(ValidationSchedule.of(config, factory))
              .until(rung == null ? Long.MAX_VALUE : rung.steps())
              .run(opener(trainer, directory, config))
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

  /** Restores the agent of the rung before, if there is one. */
  private Supplier<RunDirectory> opener(Trainer trainer, Path directory, RunConfig config) {
    Path target = Path.of(destination);
    Path parent = input().orElse(null);
    if (parent == null) {
      return () -> RunDirectory.ofAttempt(directory, target, config);
    }
    Snapshot before = RunReader.snapshot(parent);
    trainer.load(before.state());
    return () -> RunDirectory.continueAttempt(parent, directory, target, config, before);
  }
}
