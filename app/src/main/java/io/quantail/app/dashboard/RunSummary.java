package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.RunStatus;
import io.quantail.run.metrics.MetricCsv;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run in the list of runs. It is made from the end of {@code metrics.csv}, from {@code
 * status.json} and from {@code result.json}, so that a long list costs little.
 *
 * @param id path of its directory below that of the runs
 * @param study sweep, walk-forward or population that it is part of; empty if it is none's
 * @param state of its training
 * @param environment name of the environment; empty if unknown
 * @param seed of the run; empty if unknown
 * @param settings key of its settings but for the seed, see {@link RunSettings}
 * @param update number of the newest update
 * @param steps environment steps so far
 * @param totalSteps environment steps to train; null if unknown
 * @param meanReturn newest mean return of episodes; null if no episode has ended
 * @param validation return of the newest pass over the validation bars; null if there is none
 * @param result what the training ended with
 * @param report whether there is a {@code report.html}
 * @param alerts number of active alerts by severity
 * @param alertBytes size of {@code alerts.jsonl}, which changes with every alert
 * @param modifiedMillis when {@code metrics.csv} was last written; null if it does not exist
 */
record RunSummary(
    String id,
    String study,
    State state,
    String environment,
    String seed,
    String settings,
    long update,
    long steps,
    @Nullable Long totalSteps,
    @Nullable Double meanReturn,
    @Nullable Double validation,
    Result result,
    boolean report,
    Map<String, Integer> alerts,
    long alertBytes,
    @Nullable Long modifiedMillis) {

  /**
   * What a training ended with.
   *
   * @param score mean return of the evaluation, or the return on bars; null if there is none
   * @param bars part of the bars that was traded, such as {@code test}; null for episodes
   * @param limit lowest CVaR allowed; null without a limit
   * @param status whether the limit was kept; null without a limit
   * @param measured CVaR beside the limit; null if it is unknown
   */
  record Result(
      @Nullable Double score,
      @Nullable String bars,
      @Nullable Double limit,
      @Nullable String status,
      @Nullable Double measured) {
    private static final Result NONE = new Result(null, null, null, null, null);

    static Result of(JsonNode result) {
      JsonNode evaluation = result.path("evaluation");
      JsonNode limit = result.path("limit");
      if (!evaluation.isObject() && !limit.isObject()) {
        return NONE;
      }
      Double total = finite(evaluation.path("totalReturn"));
      return new Result(
          total == null ? finite(evaluation.path("meanReturn")) : total,
          total == null ? null : evaluation.path("split").asText("test"),
          finite(limit.path("limit")),
          limit.path("status").isTextual() ? limit.path("status").asText() : null,
          finite(limit.path("measured")));
    }

    private static @Nullable Double finite(JsonNode number) {
      return number.isNumber() && Double.isFinite(number.asDouble()) ? number.asDouble() : null;
    }
  }

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

  static RunSummary of(RunFiles folder, SettingsCache.Seeded given, long nowMillis) {
    RunSettings settings = given.settings();
    Newest newest = new Newest();
    newest.read(folder);
    return new RunSummary(
        folder.id(),
        folder.study(),
        state(folder, newest, nowMillis),
        settings.environment(),
        given.seed(),
        settings.key(),
        newest.update,
        newest.steps,
        settings.totalSteps(),
        newest.meanReturn,
        newest.validation,
        Result.of(folder.document(RunFiles.RESULT)),
        folder.stamp(RunFiles.REPORT).isPresent(),
        folder.alerts().lasting(),
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
    private @Nullable Double validation;
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
      } else if (entry.metric().equals("validation/return")) {
        validation = entry.value();
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
