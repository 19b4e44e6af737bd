package io.quantail.run;

import io.quantail.config.TrainingConfig;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.math.NonFiniteException;
import io.quantail.metrics.MetricRow;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.evaluation.ValidationSchedule;
import io.quantail.run.health.AlertEvent;
import io.quantail.run.health.HealthMonitor;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives a trainer to its end and writes its run directory. This is the only training loop: new and
 * resumed runs, agents of sweeps, folds and members of populations differ in their {@link
 * RunListener}s and in the kind of their {@link RunDirectory}.
 *
 * <p>A new training does its first iteration before the directory is opened, so that a training
 * that fails at once leaves no directory. Rows that were recorded before a run was resumed are
 * inspected by the health rules again, so that alerts and result do not depend on the interruption.
 */
public final class TrainingRun {
  private final Trainer trainer;
  private final EnvironmentFactory environments;
  private final @Nullable EvaluationProtocol evaluation;
  private final List<RunListener> listeners;
  private Optional<ValidationSchedule> validation = Optional.empty();
  private RunDirectory directory;
  private HealthMonitor health;
  private List<MetricRow> earlierRows;
  private ValidationHistory validated = ValidationHistory.NONE;
  private long targetSteps = Long.MAX_VALUE;
  private boolean enough;
  private double seconds;
  private double stepsPerSecond;

  /**
   * Prepares a training; {@link #run} starts it.
   *
   * @param trainer new, or restored from a snapshot; the caller closes it
   * @param environments of training
   * @param evaluation of the trained agent; null to train only
   * @param listeners in the order in which they are called
   */
  public TrainingRun(
      Trainer trainer,
      EnvironmentFactory environments,
      @Nullable EvaluationProtocol evaluation,
      List<RunListener> listeners) {
    this.trainer = trainer;
    this.environments = environments;
    this.evaluation = evaluation;
    this.listeners = List.copyOf(listeners);
  }

  /**
   * Ends the training at a number of steps that is less than that of the settings.
   *
   * @param steps environment steps
   * @return this training
   */
  public TrainingRun until(long steps) {
    targetSteps = steps;
    return this;
  }

  /**
   * Validates the agent while it trains.
   *
   * @param schedule of the passes; empty for none
   * @return this training
   */
  public TrainingRun validating(Optional<ValidationSchedule> schedule) {
    validation = schedule;
    return this;
  }

  /**
   * Trains to the end, or until a listener requests a stop, and evaluates the agent.
   *
   * @param open opens the directory; called once, after the first iteration of a new training
   * @return the result; empty if the training was stopped
   * @throws RunStoppedException when a run that can be resumed fails for a reason outside of this
   *     program; trainings of tasks fail with the original exception
   */
  public Optional<RunResult> run(Supplier<RunDirectory> open) {
    MetricRow first = trainer.updates() == 0 ? trainer.iterate() : null;
    try (RunDirectory opened = open.get()) {
      directory = opened;
      earlierRows = opened.earlierRows();
      earlierRows.forEach(row -> validated = validated.with(row));
      try (HealthMonitor monitor = opened.health(earlierRows)) {
        health = monitor;
        Optional<RunResult> result = guarded(first);
        end(result.isPresent() ? RunStatus.State.FINISHED : RunStatus.State.INTERRUPTED);
        return result;
      } catch (RuntimeException | Error failure) {
        endAfter(failure);
        throw failure;
      }
    }
  }

  private Optional<RunResult> guarded(@Nullable MetricRow first) {
    try {
      directory.writeStatus(RunStatus.State.RUNNING, trainer.updates());
      directory.write(new SpaceFile(trainer.observationSpace(), trainer.actionSpace()));
      if (evaluation != null && directory.hasFiles()) {
        evaluation.prepare(directory.path());
      }
      if (keepsBest() && validated.passes() > 0) {
        directory.requireKept(validated.bestUpdate());
      }
      listeners.forEach(listener -> listener.onStart(this));
      return train(first) ? Optional.of(finish()) : Optional.empty();
    } catch (EnvironmentException
        | NonFiniteException
        | SnapshotException
        | UncheckedIOException failure) {
      String replay = replay(failure);
      if (!directory.isResumable()) {
        throw failure;
      }
      throw new RunStoppedException(
          String.format(
              Locale.ROOT,
              "after update %d: %s%s; %s",
              trainer.updates(),
              RunStoppedException.describe(failure),
              replay,
              whatIsLeft()),
          failure);
    }
  }

  /** Returns whether the training reached its end; if not, it was stopped. */
  private boolean train(@Nullable MetricRow first) {
    MetricRow row = first != null || trained() ? first : trainer.iterate();
    while (row != null) {
      record(row);
      for (RunListener listener : listeners) {
        enough |= listener.enough();
      }
      if (trainer.finished() || exhausted() || enough) {
        trainer.complete();
      }
      boolean stop = false;
      boolean best = keepsBest() && validated.bestUpdate() == row.update();
      boolean due = best || trained() || trainer.stuck();
      for (RunListener listener : listeners) {
        stop |= listener.stopRequested();
        due |= listener.snapshotDue(row);
      }
      if (stop || due) {
        save(best);
      }
      if (stop) {
        return false;
      }
      row = trained() ? null : trainer.iterate();
    }
    if (!directory.hasSnapshot()) {
      save(false); // the training was complete from the start
    }
    return true;
  }

  private boolean trained() {
    return allSteps() || exhausted() || enough;
  }

  private boolean exhausted() {
    return validated.exhausts(directory.config().training().patience());
  }

  private boolean allSteps() {
    return trainer.finished() || trainer.steps() >= targetSteps;
  }

  private boolean keepsBest() {
    return validation.isPresent()
        && directory.config().training().keep() == TrainingConfig.Keep.BEST_VALIDATION;
  }

  /** Adds the validation pass after an update to its row if one is due. */
  private MetricRow validate(MetricRow row) {
    if (validation.filter(schedule -> schedule.due(row.update(), allSteps())).isEmpty()) {
      return row;
    }
    long start = System.nanoTime();
    Map<String, Double> values = new HashMap<>(row.values());
    values.putAll(validation.get().pass().run(trainer.agent()));
    values.put("time/validation_seconds", (System.nanoTime() - start) / 1e9);
    return new MetricRow(row.update(), row.steps(), row.seconds(), values);
  }

  private void record(MetricRow trained) {
    writeFaults();
    MetricRow measured = validate(trained);
    validated = validated.with(measured);
    List<AlertEvent> events = health.inspect(measured);
    if (!events.isEmpty()) {
      listeners.forEach(listener -> listener.onAlerts(events));
    }
    MetricRow row = health.mark(measured);
    directory.write(row);
    seconds = row.seconds();
    stepsPerSecond = Objects.requireNonNull(row.values().get("time/fps"));
    listeners.forEach(listener -> listener.onUpdate(row));
  }

  /**
   * Writes a snapshot.
   *
   * @param best whether it is kept as that of the best validation pass
   */
  private void save(boolean best) {
    StateMap state = new StateMap();
    trainer.save(state);
    Snapshot saved =
        directory.snapshot(
            state, trainer.updates(), trainer.steps(), environments.dataFingerprint());
    if (best) {
      directory.keep(saved);
    }
    listeners.forEach(listener -> listener.onSnapshot(saved));
  }

  private RunResult finish() {
    EvaluationResult measured = null;
    if (evaluation != null) {
      measured = evaluate(evaluation);
      if (directory.hasFiles()) {
        measured.write(directory.path());
      }
    }
    RunResult result =
        new RunResult(
            directory.destination().toString(),
            trainer.steps(),
            seconds,
            stepsPerSecond,
            agent(),
            measured,
            health.alerts(),
            null);
    for (RunListener listener : listeners) {
      result = listener.onFinish(result);
    }
    if (evaluation != null) {
      directory.write(result);
    }
    return result;
  }

  /** Evaluates the agent that the training keeps. */
  private EvaluationResult evaluate(EvaluationProtocol protocol) {
    if (!keepsBest()) {
      return protocol.with(trainer.observed()).evaluate(trainer.agent(), trainer.returnScale());
    }
    RunReader best = new RunReader(directory.path(), directory.config(), directory.kept());
    return protocol.with(best.snapshot().state()).evaluate(best.agent(environments), best.scale());
  }

  private void end(RunStatus.State state) {
    directory.closeMetrics();
    directory.writeStatus(state, trainer.updates());
    listeners.forEach(listener -> listener.onEnd(state));
    directory.seal(state);
  }

  /** Does as much of {@link #end} as possible; the failure that is being thrown comes first. */
  private void endAfter(Throwable failure) {
    attempt(failure, directory::closeMetrics);
    attempt(failure, () -> directory.writeStatus(RunStatus.State.FAILED, trainer.updates()));
    listeners.forEach(listener -> attempt(failure, () -> listener.onEnd(RunStatus.State.FAILED)));
  }

  private static void attempt(Throwable failure, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error another) { // on a full disk even native code fails to load
      failure.addSuppressed(another);
    }
  }

  private String replay(RuntimeException failure) {
    try {
      List<Path> files = writeFaults();
      return failure instanceof EnvironmentException && !files.isEmpty()
          ? "; replay it with: quantail replay " + files.get(files.size() - 1)
          : "";
    } catch (UncheckedIOException another) {
      failure.addSuppressed(another);
      return "";
    }
  }

  private String whatIsLeft() {
    return directory
        .lastGoodUpdate()
        .map(
            update ->
                String.format(
                    Locale.ROOT,
                    "the last good snapshot is that of update %d; resume with: quantail resume %s",
                    update,
                    directory.path()))
        .orElse("there is no good snapshot to resume from; start a new run");
  }

  private List<Path> writeFaults() {
    List<EnvironmentFault> faults = trainer.drainFaults();
    return directory.hasFiles() ? faults.stream().map(directory::write).toList() : List.of();
  }

  /** {@return the directory of the training} */
  public RunDirectory directory() {
    return directory;
  }

  /** {@return the rows that were recorded before the run was resumed} */
  public List<MetricRow> earlierRows() {
    return earlierRows;
  }

  /** {@return the agent that would be evaluated now} */
  public TrainedAgent agent() {
    return TrainedAgent.of(directory.config().training(), trainer.updates(), allSteps(), validated)
        .endedBy(enough ? TrainedAgent.End.ENOUGH : null);
  }

  /** {@return the number of environment steps done so far} */
  public long steps() {
    return trainer.steps();
  }
}
