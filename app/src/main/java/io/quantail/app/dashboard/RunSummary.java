package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.RunStatus;
import io.quantail.run.health.AlertHistory;
import io.quantail.run.metrics.MetricCsv;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run in the list of runs. It is made from the end of {@code metrics.csv} and from {@code
 * status.json}, so that a long list costs little.
 *
 * @param id name of its directory
 * @param state of its training
 * @param environment name of the environment; empty if unknown
 * @param seed of the run; empty if unknown
 * @param update number of the newest update
 * @param steps environment steps so far
 * @param totalSteps environment steps to train; null if unknown
 * @param meanReturn newest mean return of episodes; null if no episode has ended
 * @param alerts number of active alerts by severity
 * @param alertBytes size of {@code alerts.jsonl}, which changes with every alert
 * @param modifiedMillis when {@code metrics.csv} was last written; null if it does not exist
 */
record RunSummary(
    String id,
    State state,
    String environment,
    String seed,
    long update,
    long steps,
    @Nullable Long totalSteps,
    @Nullable Double meanReturn,
    Map<String, Integer> alerts,
    long alertBytes,
    @Nullable Long modifiedMillis) {

  /** State of a training, from {@code status.json}. */
  enum State {
    /** No update has been recorded. */
    EMPTY,
    /** Updates are being recorded. */
    RUNNING,
    /** Trained and evaluated. */
    FINISHED,
    /** Stopped on request before its last step; it can be resumed. */
    INTERRUPTED,
    /** Stopped by an error. */
    FAILED,
    /** No update for longer than expected; the process may have died. */
    OVERDUE,
    /** Made by an older build without {@code status.json}, and without a result. */
    UNKNOWN
  }

  private static final int LAST_METRICS = 1 << 16; // bytes; a row has about 8,000
  private static final int LAST_TIMES = 1 << 10; // bytes; a row has about 40
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int PATIENCE_UPDATES = 10;
  private static final int PATIENCE_UPDATES_WITHOUT_PROCESS = 2;

  static RunSummary of(RunFiles folder, AlertHistory alerts, long nowMillis) {
    JsonNode settings = folder.settings();
    Newest newest = new Newest();
    newest.read(folder);
    JsonNode total = settings.path("training").path("steps");
    return new RunSummary(
        folder.id(),
        state(folder, newest, nowMillis),
        settings.path("environment").path("name").asText(""),
        settings.path("seed").asText(""),
        newest.update,
        newest.steps,
        total.canConvertToLong() ? total.asLong() : null,
        newest.meanReturn,
        alerts.lasting(),
        folder.stamp(RunFiles.ALERTS).map(RunFiles.Stamp::size).orElse(0L),
        folder.stamp(RunFiles.METRICS).map(RunFiles.Stamp::modifiedMillis).orElse(null));
  }

  private static State state(RunFiles folder, Newest newest, long nowMillis) {
    Optional<RunStatus> status = folder.status();
    if (status.isEmpty()) {
      return folder.stamp(RunFiles.RESULT).isPresent()
          ? State.FINISHED
          : newest.update == 0 ? State.EMPTY : State.UNKNOWN;
    }
    return switch (status.get().state()) {
      case FINISHED -> State.FINISHED;
      case INTERRUPTED -> State.INTERRUPTED;
      case FAILED -> State.FAILED;
      case RUNNING ->
          isOverdue(status.get(), newest.gapMillis(), nowMillis)
              ? State.OVERDUE
              : newest.update == 0 ? State.EMPTY : State.RUNNING;
    };
  }

  /**
   * The run may be on another machine, where its process id means another process or none; so a
   * missing process shortens the wait and does not decide alone.
   */
  private static boolean isOverdue(RunStatus status, long gapMillis, long nowMillis) {
    boolean processExists = ProcessHandle.of(status.processId()).isPresent();
    long updates = processExists ? PATIENCE_UPDATES : PATIENCE_UPDATES_WITHOUT_PROCESS;
    return nowMillis - status.time().toEpochMilli() >= PATIENCE_MILLIS + updates * gapMillis;
  }

  /** The newest rows of {@code metrics.csv} and {@code clock.csv}. */
  private static final class Newest {
    private long update;
    private long steps;
    private @Nullable Double meanReturn;
    private double seconds;
    private double gapSeconds;

    void read(RunFiles folder) {
      // A truncated first line may have wrong numbers; the lines after it replace them.
      try (FileChannel metrics = folder.open(RunFiles.METRICS)) {
        long start = Math.max(0, metrics.size() - LAST_METRICS);
        MetricCsv.readMetrics(metrics, start, this::take, malformed -> {});
        if (folder.stamp(RunFiles.CLOCK).isPresent()) {
          try (FileChannel times = folder.open(RunFiles.CLOCK)) {
            long first = Math.max(0, times.size() - LAST_TIMES);
            MetricCsv.readClock(times, first, this::take, malformed -> {});
          }
        }
      } catch (IOException unreadable) {
        // keeps what was read before
      }
    }

    private void take(MetricCsv.Entry entry) {
      update = entry.update();
      steps = entry.steps();
      if (entry.metric().equals("rollout/ep_rew_mean")) {
        meanReturn = entry.value();
      }
    }

    private void take(MetricCsv.ClockEntry entry) {
      gapSeconds = entry.seconds() > seconds ? entry.seconds() - seconds : entry.seconds();
      seconds = entry.seconds();
    }

    /** Time between the last two updates; 0 if it is unknown. */
    long gapMillis() {
      return Math.round(1_000 * gapSeconds);
    }
  }
}
