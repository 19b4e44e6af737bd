package io.quantail.run;

import io.quantail.metrics.MetricRow;
import io.quantail.run.health.AlertEvent;
import io.quantail.run.snapshot.Snapshot;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Follows a {@link TrainingRun}. Listeners define in what trainings differ: printed lines, times of
 * snapshots, stop conditions and reports.
 *
 * <p>All methods are called by the thread that trains, for each listener in the order in which they
 * were given: {@link #onStart}; for each update {@link #onAlerts} if there are any, {@link
 * #onUpdate}, {@link #stopRequested}, and {@link #onSnapshot} if one was written; {@link #onFinish}
 * unless the training was stopped or failed; {@link #onEnd}. {@code TrainingRunTest} pins the
 * order.
 */
public interface RunListener {
  /**
   * Called when the run directory exists, before an update is recorded.
   *
   * @param run the training
   */
  default void onStart(TrainingRun run) {}

  /**
   * Called when an update raised or cleared alerts, which are then in {@code alerts.jsonl}.
   *
   * @param events raised and cleared alerts of the update
   */
  default void onAlerts(List<AlertEvent> events) {}

  /**
   * Called when an update is in {@code metrics.csv}.
   *
   * @param row metrics of the update
   */
  default void onUpdate(MetricRow row) {}

  /**
   * Whether to write a snapshot after an update, besides those at the end and at a stop.
   *
   * @param row metrics of the update
   * @return whether a snapshot is due
   */
  default boolean snapshotDue(MetricRow row) {
    return false;
  }

  /**
   * {@return whether to stop after this update, with a snapshot from which the run can be resumed}
   */
  default boolean stopRequested() {
    return false;
  }

  /**
   * {@return whether the agent is good enough, so that the training ends after this update as if
   * all steps were done} Asked once for each update, after {@link #onUpdate}.
   */
  default boolean enough() {
    return false;
  }

  /**
   * Called when a snapshot is on disk.
   *
   * @param snapshot the written snapshot
   */
  default void onSnapshot(Snapshot snapshot) {}

  /**
   * Called when the agent is trained and evaluated, before {@code result.json} is written.
   *
   * @param result of the training
   * @return the result, possibly with an addition
   */
  default RunResult onFinish(RunResult result) {
    return result;
  }

  /**
   * Called last, when the files of metrics are closed, also after a failure.
   *
   * @param state how the training ended
   */
  default void onEnd(RunStatus.State state) {}

  /**
   * Creates a listener that writes a snapshot after the first update and then every {@code
   * interval} updates.
   *
   * @param interval number of updates between snapshots
   * @return the listener
   */
  static RunListener snapshotEvery(int interval) {
    return new RunListener() {
      @Override
      public boolean snapshotDue(MetricRow row) {
        return row.update() == 1 || row.update() % interval == 0;
      }
    };
  }

  /**
   * Creates a listener that ends a task with a {@link CancellationException} when its thread has
   * been interrupted.
   *
   * @param task name of the task, for the message
   * @return the listener
   */
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
