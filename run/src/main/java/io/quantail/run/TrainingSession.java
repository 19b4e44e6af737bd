package io.quantail.run;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.train.Trainer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole training of one agent, new or resumed: its environments, its trainer, its validation and
 * its evaluation. The commands {@code train} and {@code resume} and {@link io.quantail.Training}
 * all train through it.
 */
public final class TrainingSession implements AutoCloseable {
  private final RunConfig config;
  private final EnvironmentFactory environments;
  private final EvaluationProtocol evaluation;
  private final Trainer trainer;
  private final Supplier<RunDirectory> open;
  private final @Nullable DirectoryLock lock; // null until a new directory is opened
  private final Optional<ValidationSchedule> validation;

  private TrainingSession(
      RunConfig config,
      EnvironmentFactory environments,
      EvaluationProtocol evaluation,
      Supplier<RunDirectory> open,
      @Nullable DirectoryLock lock) {
    this.lock = lock;
    this.config = config;
    this.environments = environments;
    this.evaluation = evaluation;
    this.open = open;
    validation = ValidationSchedule.of(config, environments);
    trainer = new Trainer(config, environments);
  }

  /**
   * Prepares a new training.
   *
   * @param config settings
   * @param environments in which the agent learns
   * @param open makes the directory; called after the first iteration
   * @return the training; {@link #run} starts it
   */
  public static TrainingSession start(
      RunConfig config, EnvironmentFactory environments, Supplier<RunDirectory> open) {
    return new TrainingSession(
        config, environments, EvaluationProtocol.of(config, environments), open, null);
  }

  /**
   * Prepares a new training that may start with the agent of another run.
   *
   * @param config settings
   * @param start environments, and the state to start with
   * @param open makes the directory; called after the first iteration
   * @return the training; {@link #run} starts it
   */
  public static TrainingSession start(
      RunConfig config, Inheritance start, Supplier<RunDirectory> open) {
    TrainingSession session = start(config, start.environments(), open);
    try {
      start.start(session.trainer);
    } catch (RuntimeException | Error failure) {
      session.close();
      throw failure;
    }
    return session;
  }

  /**
   * Prepares to continue a run from its newest good snapshot.
   *
   * @param directory of the run
   * @param environments finds the environments for its settings
   * @param notes receives lines for the user: damaged snapshots, other versions, edited settings
   * @return the training; {@link #run} continues it
   */
  public static TrainingSession resume(
      Path directory,
      Function<RunConfig, EnvironmentFactory> environments,
      Consumer<String> notes) {
    return resume(directory, environments, notes, new DurableFiles());
  }

  /** Prepares to continue a run whose files are written in a given way. */
  static TrainingSession resume(
      Path directory,
      Function<RunConfig, EnvironmentFactory> environments,
      Consumer<String> notes,
      DurableFiles files) {
    RunConfig config = RunReader.config(directory);
    DirectoryLock lock = DirectoryLock.acquire(directory);
    try {
      return RunDirectory.isAbandoned(directory)
          ? restart(directory, config, environments, notes, lock, files)
          : resume(directory, config, environments, notes, lock, files);
    } catch (RuntimeException | Error refused) {
      lock.close();
      throw refused;
    }
  }

  private static TrainingSession resume(
      Path directory,
      RunConfig config,
      Function<RunConfig, EnvironmentFactory> environments,
      Consumer<String> notes,
      DirectoryLock lock,
      DurableFiles files) {
    Snapshot snapshot =
        RunReader.snapshot(directory, good -> ResumedFiles.requireMetrics(directory, good));
    List<String> changes =
        ResumeCheck.requireSameConfig(directory, config, snapshot).stream()
            .map(Object::toString)
            .toList();
    EnvironmentFactory factory = environments.apply(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory);
    ResumeCheck.requireSameData(directory, factory.dataFingerprint(), snapshot);
    snapshot.problems().forEach(notes);
    ResumeCheck.otherVersions(snapshot).forEach(notes);
    changes.forEach(notes);
    TrainingSession session =
        new TrainingSession(
            config,
            factory,
            evaluation,
            () -> RunDirectory.reopen(directory, config, snapshot, lock, notes, files),
            lock);
    session.load(directory, snapshot, notes);
    return session;
  }

  /** Prepares to start a run again that has no snapshot yet. */
  private static TrainingSession restart(
      Path directory,
      RunConfig config,
      Function<RunConfig, EnvironmentFactory> environments,
      Consumer<String> notes,
      DirectoryLock lock,
      DurableFiles files) {
    List<Ancestor> ancestors = Ancestor.read(directory);
    if (!ancestors.isEmpty()) {
      throw new ConfigException(
          "the run %s ended before its first snapshot; start it anew with: train --run %s --from %s"
              .formatted(directory, directory, ancestors.get(0).run()));
    }
    EnvironmentFactory factory = environments.apply(config);
    EvaluationProtocol evaluation = EvaluationProtocol.of(config, factory);
    notes.accept(
        "the run %s ended before its first snapshot, so it starts anew".formatted(directory));
    return new TrainingSession(
        config,
        factory,
        evaluation,
        () -> RunDirectory.restart(directory, config, lock, files),
        lock);
  }

  private void load(Path directory, Snapshot snapshot, Consumer<String> notes) {
    try {
      RunReader.spaces(directory)
          .ifPresent(new SpaceFile(trainer.observationSpace(), trainer.actionSpace())::requireSame);
      if (!trainer.load(snapshot.state())) {
        notes.accept(
            "the environments cannot save their state, so each of them starts a new episode");
      }
    } catch (RuntimeException | Error failure) {
      trainer.close();
      throw failure;
    }
  }

  /**
   * Trains to the end, or until a listener requests a stop, and evaluates the agent.
   *
   * @param listeners in the order in which they are called
   * @return the result; empty if the training was stopped
   */
  public Optional<RunResult> run(List<RunListener> listeners) {
    return new TrainingRun(trainer, environments, evaluation, listeners)
        .validating(validation)
        .run(open);
  }

  /** {@return the settings} */
  public RunConfig config() {
    return config;
  }

  /** {@return the environments in which the agent learns} */
  public EnvironmentFactory environments() {
    return environments;
  }

  /** {@return the validation passes of the training; empty if there are none} */
  public Optional<ValidationSchedule> validation() {
    return validation;
  }

  /** {@return what trains the agent} */
  public Trainer trainer() {
    return trainer;
  }

  @Override
  public void close() {
    try {
      trainer.close();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }
}
