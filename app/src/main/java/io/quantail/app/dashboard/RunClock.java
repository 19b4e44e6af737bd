package io.quantail.app.dashboard;

import io.quantail.run.metrics.MetricCsv;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times of a run from its {@code clock.csv}, kept up to date while the file grows; empty for
 * runs of older builds, which have no such file.
 *
 * <p>A run that was resumed has rows of several processes. The first row of a process is one whose
 * process started after the row before was written.
 */
final class RunClock {
  private static final int RECENT_ROWS = 20;
  private static final String TOTAL = "seconds";

  private final FileTail file;
  private final MetricTable table = new MetricTable();
  private final MetricTable total = new MetricTable();
  private MetricCsv.@Nullable ClockEntry last;
  private int firstRow; // of the newest process
  private double earlierSeconds; // of all processes but the newest
  private long firstSteps; // since which the speed of the newest process counts
  private double firstSeconds;

  RunClock(RunFiles folder) {
    file =
        new FileTail(
            folder,
            RunFiles.CLOCK,
            (channel, offset) -> MetricCsv.readClock(channel, offset, this::add, malformed -> {}),
            this::clear);
  }

  /** Reads what was appended since the last call. */
  void poll() throws IOException {
    file.poll();
  }

  private void add(MetricCsv.ClockEntry entry) {
    if (last != null && entry.update() <= last.update()) {
      return;
    }
    if (last == null) {
      // Without the rows before it, the first row of a resumed run has no speed.
      firstSteps = entry.update() == 1 ? 0 : entry.steps();
      firstSeconds = entry.update() == 1 ? 0 : entry.seconds();
    } else if (entry.epochMillis() - 1_000 * entry.seconds() >= last.epochMillis()) {
      earlierSeconds += last.seconds();
      firstRow = table.rows();
      firstSteps = last.steps();
      firstSeconds = 0;
    }
    last = entry;
    total.row(entry.update(), entry.steps());
    total.add(Objects.requireNonNull(total.column(TOTAL)), earlierSeconds + entry.seconds());
    table.row(entry.update(), entry.steps());
    table.add(Objects.requireNonNull(table.column("time/time_elapsed")), entry.seconds());
    if (entry.seconds() > firstSeconds) {
      double seconds = entry.seconds() - firstSeconds;
      table.add(
          Objects.requireNonNull(table.column("time/fps")), (entry.steps() - firstSteps) / seconds);
    }
  }

  private void clear() {
    table.clear();
    total.clear();
    last = null;
    firstRow = 0;
    earlierSeconds = 0;
  }

  /** Metrics under {@code time/}: seconds and steps per second since the start of the process. */
  MetricTable table() {
    return table;
  }

  /** Training time of all processes of the run, over environment steps. */
  ChartSeries seconds(int most) {
    MetricTable.Column seconds = total.find(TOTAL);
    return seconds == null
        ? ChartSeries.EMPTY
        : ChartSeries.even(total.rows(), total::steps, seconds::value, most);
  }

  /** Training time of all processes of the run; NaN if it is unknown. */
  double elapsedSeconds() {
    return last == null ? Double.NaN : earlierSeconds + last.seconds();
  }

  /** Steps per second over the last rows of the newest process; NaN with fewer than two rows. */
  double recentSpeed() {
    int end = table.rows() - 1;
    int start = Math.max(firstRow, end - RECENT_ROWS);
    if (start >= end) {
      return Double.NaN;
    }
    MetricTable.Column elapsed = table.find("time/time_elapsed"); // has a value in every row
    double seconds = Objects.requireNonNull(elapsed).value(end) - elapsed.value(start);
    return seconds > 0 ? (table.steps(end) - table.steps(start)) / seconds : Double.NaN;
  }
}
