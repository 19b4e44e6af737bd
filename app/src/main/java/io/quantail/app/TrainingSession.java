package io.quantail.app;

import io.quantail.checkpoint.SnapshotException;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentException;
import io.quantail.env.EnvironmentFactory;
import io.quantail.health.Alert;
import io.quantail.health.Rules;
import io.quantail.metrics.MetricRow;
import io.quantail.rollout.NonFiniteException;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.state.StateMap;
import io.quantail.train.Trainer;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Drives a trainer to its end and keeps its run directory up to date.
 *
 * <p>The same for a new run and for one that goes on: what was written before the snapshot is
 * replayed into alerts and curve, so that the result does not show where the run was interrupted.
 */
final class TrainingSession implements AutoCloseable {

  /**
   * @param run run directory
   * @param steps environment steps taken
   * @param seconds training time of this process
   * @param stepsPerSecond training speed of this process
   * @param evaluation the agent after training
   * @param alerts what was raised on the way
   * @param report the page that explains it all
   */
  record Result(
      String run,
      long steps,
      double seconds,
      double stepsPerSecond,
      EvaluationResult evaluation,
      List<Alert> alerts,
      String report) {}

  private final RunConfig config;
  private final Trainer trainer;
  private final RunDirectory run;
  private final EnvironmentFactory factory;
  private final EvaluationProtocol evaluation;
  private final AlertDesk alerts;
  private final List<Double> curve = new ArrayList<>();
  private double seconds;
  private double stepsPerSecond;

  TrainingSession(
      RunConfig config,
      Trainer trainer,
      RunDirectory run,
      EnvironmentFactory factory,
      EvaluationProtocol evaluation) {
    this.config = config;
    this.trainer = trainer;
    this.run = run;
    this.factory = factory;
    this.evaluation = evaluation;
    List<MetricRow> earlier = run.rows();
    this.alerts = new AlertDesk(Rules.of(config), run.path(), earlier);
    earlier.forEach(this::addToCurve);
  }

  private void addToCurve(MetricRow row) {
    Double episodeReturn = row.values().get("rollout/ep_rew_mean");
    if (episodeReturn != null) {
      curve.add(episodeReturn);
    }
  }

  /** Takes in the first row of a new run, and saves at once: from here on it can be resumed. */
  void begin(MetricRow row) {
    guarded(
        () -> {
          evaluation.prepare(run.path());
          writeFaults();
          record(row, System.err::println);
          save(row);
          return row;
        });
  }

  /** Trains to the end, or until asked to stop; empty if it stopped. */
  Optional<Result> finish(BooleanSupplier stopRequested) {
    return guarded(() -> train(stopRequested));
  }

  /** What can go wrong without our fault ends with a word on what is left. */
  private <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (EnvironmentException
        | NonFiniteException
        | SnapshotException
        | UncheckedIOException failure) {
      throw new RunStoppedException(
          "after update %d: %s%s; %s"
              .formatted(trainer.updates(), Reason.of(failure), replay(failure), whatIsLeft()),
          failure);
    }
  }

  private String replay(RuntimeException failure) {
    try {
      List<Path> files = writeFaults();
      return failure instanceof EnvironmentException && !files.isEmpty()
          ? "; see it again with: quantail replay " + files.get(files.size() - 1)
          : "";
    } catch (UncheckedIOException another) {
      failure.addSuppressed(another);
      return "";
    }
  }

  private String whatIsLeft() {
    return run.lastGoodUpdate()
        .map(
            update ->
                "the last good snapshot is that of update %d; go on with: quantail resume %s"
                    .formatted(update, run.path()))
        .orElse("there is no good snapshot to go on from; start a new run");
  }

  private List<Path> writeFaults() {
    return trainer.drainFaults().stream().map(run::write).toList();
  }

  private Optional<Result> train(BooleanSupplier stopRequested) {
    try (Progress progress =
        new Progress(
            config.environment().name(), trainer.steps(), config.training().steps(), System.err)) {
      while (!trainer.finished()) {
        MetricRow row = trainer.iterate();
        writeFaults();
        record(row, progress::say);
        progress.show(row);
        boolean stop = stopRequested.getAsBoolean();
        boolean due = row.update() % config.training().snapshotUpdates() == 0;
        if (stop || due || trainer.finished() || trainer.stuck()) {
          save(row);
        }
        if (stop) {
          return Optional.empty();
        }
      }
    }
    EvaluationResult evaluated = evaluation.evaluate(trainer.agent(), trainer.returnScale());
    evaluated.write(run.path());
    Path report = RunReport.write(run.path(), config, evaluated);
    Result result =
        new Result(
            run.path().toString(),
            trainer.steps(),
            seconds,
            stepsPerSecond,
            evaluated,
            alerts.alerts(),
            report.toString());
    run.writeResult(result);
    return Optional.of(result);
  }

  /** The mean episode return of each rollout in which an episode ended. */
  List<Double> curve() {
    return curve;
  }

  private void record(MetricRow row, Consumer<String> console) {
    run.write(alerts.inspect(row, console));
    addToCurve(row);
    seconds = row.seconds();
    stepsPerSecond = row.values().get("time/fps");
  }

  private void save(MetricRow row) {
    StateMap state = new StateMap();
    trainer.save(state);
    run.snapshot(state, row.update(), row.steps(), factory.dataFingerprint());
  }

  @Override
  public void close() {
    alerts.close();
  }
}
