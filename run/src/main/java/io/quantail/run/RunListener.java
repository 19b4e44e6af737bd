package io.quantail.run;

import io.quantail.metrics.MetricRow;
import io.quantail.run.health.AlertEvent;
import io.quantail.run.snapshot.Snapshot;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Follows a {@link TrainingRun}. Everything in which trainings differ is a listener: what is
 * printed, when snapshots are written, when to stop, which reports are made.
 *
 * <p>All methods are called by the thread that trains, for each listener in the order in which they
 * were given: {@link #onStart}; for each update {@link #onAlerts} if there are any, {@link
 * #onUpdate}, {@link #stopRequested}, and {@link #onSnapshot} if one was written; {@link #onFinish}
 * unless the training was stopped or failed; {@link #onEnd}. {@code TrainingRunTest} pins the
 * order.
 */
public interface RunListener {
  /** Called when the run directory exists, before an update is recorded. */
  default void onStart(TrainingRun run) {}

  /** Called when an update raised or cleared alerts, which are then in {@code alerts.jsonl}. */
  default void onAlerts(List<AlertEvent> events) {}

  /** Called when an update is in {@code metrics.csv}. */
  default void onUpdate(MetricRow row) {}

  /** Whether to write a snapshot after an update, besides those at the end and at a stop. */
  default boolean snapshotDue(MetricRow row) {
    return false;
  }

  /** Whether to stop after this update, with a snapshot from which the run can be resumed. */
  default boolean stopRequested() {
    return false;
  }

  /** Called when a snapshot is on disk. */
  default void onSnapshot(Snapshot snapshot) {}

  /**
   * Called when the agent is trained and evaluated, before {@code result.json} is written.
   *
   * @return the result, possibly with an addition
   */
  default RunResult onFinish(RunResult result) {
    return result;
  }

  /** Called last, when the files of metrics are closed, also after a failure. */
  default void onEnd(RunStatus.State state) {}

  /** Writes a snapshot after the first update and then every {@code interval} updates. */
  static RunListener snapshotEvery(int interval) {
    return new RunListener() {
      @Override
      public boolean snapshotDue(MetricRow row) {
        return row.update() == 1 || row.update() % interval == 0;
      }
    };
  }

  /** Ends a task with a {@link CancellationException} when its thread has been interrupted. */
  static RunListener cancelOnInterrupt(String task) {
    return new RunListener() {
      @Override
      public boolean stopRequested() {
        if (Thread.currentThread().isInterrupted()) {
          throw new CancellationException(task + " was interrupted");
        }
        return false;
      }
    };
  }
}
