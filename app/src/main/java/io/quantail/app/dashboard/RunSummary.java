package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.health.AlertHistory;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What the list of runs says of one; made from the end of its log, so that a long list costs
 * little.
 *
 * @param id name of its directory
 * @param state whether it goes on
 * @param environment what it trains on; empty if unknown
 * @param seed of the run; empty if unknown
 * @param update the newest
 * @param steps done
 * @param totalSteps to do; null if unknown
 * @param meanReturn the newest mean return of episodes; null if none has ended yet
 * @param alerts that last, by severity
 * @param alertBytes size of the file of alerts; it changes with them
 * @param modifiedMillis when the last row was written; null if there is none
 */
record RunSummary(
    String id,
    State state,
    String environment,
    String seed,
    long update,
    long steps,
    Long totalSteps,
    Double meanReturn,
    Map<String, Integer> alerts,
    long alertBytes,
    Long modifiedMillis) {

  /** Whether a run goes on, as far as its files tell. */
  enum State {
    /** Nothing has been measured. */
    EMPTY,
    /** Rows keep coming. */
    RUNNING,
    /** Trained and evaluated. */
    FINISHED,
    /** Ended in order before its last step, and can be resumed. */
    INTERRUPTED,
    /** No row for a long time, and no word why. */
    SILENT
  }

  private static final int LAST_ROWS = 1 << 16; // bytes; a row has about 8,000
  private static final long PATIENCE_MILLIS = 60_000;

  static RunSummary of(RunFolder folder, AlertHistory alerts, long nowMillis) {
    JsonNode settings = folder.settings();
    Optional<RunFolder.Stamp> log = folder.stamp(RunFolder.METRICS);
    Last last = Last.of(folder);
    JsonNode total = settings.path("training").path("steps");
    return new RunSummary(
        folder.id(),
        state(folder, log, last, nowMillis),
        settings.path("environment").path("name").asText(""),
        settings.path("seed").asText(""),
        last.update,
        last.steps,
        total.canConvertToLong() ? total.asLong() : null,
        last.meanReturn,
        alerts.lasting(),
        folder.stamp(RunFolder.ALERTS).map(RunFolder.Stamp::size).orElse(0L),
        log.map(RunFolder.Stamp::modifiedMillis).orElse(null));
  }

  /** Files that are written at the end and are older than the log belong to an earlier start. */
  private static State state(
      RunFolder folder, Optional<RunFolder.Stamp> log, Last last, long nowMillis) {
    if (log.isEmpty() || last.update == 0) {
      return State.EMPTY;
    }
    long written = log.get().modifiedMillis();
    if (isNewer(folder, RunFolder.RESULT, written)) {
      return State.FINISHED;
    }
    if (isNewer(folder, RunLayout.PARQUET, written)) {
      return State.INTERRUPTED;
    }
    return nowMillis - written < PATIENCE_MILLIS + 10 * last.gapMillis(folder)
        ? State.RUNNING
        : State.SILENT;
  }

  private static boolean isNewer(RunFolder folder, String file, long millis) {
    return folder.stamp(file).filter(stamp -> stamp.modifiedMillis() >= millis).isPresent();
  }

  /** The newest row of a log. */
  private static final class Last {
    private long update;
    private long steps;
    private Double meanReturn;

    static Last of(RunFolder folder) {
      Last last = new Last();
      try {
        String text =
            new String(folder.tail(RunFolder.METRICS, LAST_ROWS), StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n');
        text.substring(0, Math.max(0, end)).lines().forEach(last::take);
      } catch (IOException unreadable) {
        // nothing is known
      }
      return last;
    }

    private void take(String line) {
      String[] cells = line.split(",", -1);
      if (cells.length != 4) {
        return;
      }
      try {
        update = Long.parseLong(cells[0]);
        steps = Long.parseLong(cells[1]);
        if (cells[2].equals("rollout/ep_rew_mean")) {
          double value = Double.parseDouble(cells[3]);
          meanReturn = Double.isFinite(value) ? value : meanReturn;
        }
      } catch (NumberFormatException headerOrDamaged) {
        // left out
      }
    }

    /** Mean time between two rows of the run so far. */
    private long gapMillis(RunFolder folder) {
      long began = folder.stamp(RunFolder.RUN).map(RunFolder.Stamp::modifiedMillis).orElse(0L);
      long ended = folder.stamp(RunFolder.METRICS).map(RunFolder.Stamp::modifiedMillis).orElse(0L);
      return began == 0 ? 0 : Math.max(0, ended - began) / Math.max(1, update);
    }
  }
}
