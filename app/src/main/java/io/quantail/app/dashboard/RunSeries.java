package io.quantail.app.dashboard;

import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The metrics of one run in memory, updated from its files; safe for use by several threads. */
final class RunSeries {
  private static final int MOST_AXIS_POINTS = 200;

  private final RunFiles folder;
  private final MetricCsvTail log;
  private final RunClock clock;
  private volatile long size;

  /**
   * @param name of the metric
   * @param meaning from the catalogue; empty when it is not listed
   * @param unit from the catalogue; empty when it is not listed
   * @param points how many values it has
   * @param last the newest of them
   */
  record MetricInfo(String name, String meaning, String unit, int points, double last) {}

  /**
   * @param update number of the update
   * @param steps environment steps so far
   * @param values by metric
   */
  record Row(long update, long steps, Map<String, Double> values) {}

  /**
   * New or extended rows.
   *
   * @param run name of the run
   * @param after steps of the row before them; a client whose last row is older has missed rows
   * @param rows of {@code metrics.csv} and of {@code clock.csv}
   */
  record News(String run, long after, List<Row> rows) {}

  /**
   * Series of metrics.
   *
   * @param steps environment steps of the newest row of {@code metrics.csv}
   * @param series by metric, over environment steps
   * @param updates numbers of updates over environment steps, for the other axis
   * @param seconds training time over environment steps; empty for runs of older builds
   */
  record Lines(
      long steps, Map<String, ChartSeries> series, ChartSeries updates, ChartSeries seconds) {
    /** Number of points of all lines. */
    int points() {
      return updates.x().length
          + seconds.x().length
          + series.values().stream().mapToInt(line -> line.x().length).sum();
    }
  }

  /**
   * Position up to which a client has received rows.
   *
   * @param generation how often {@code metrics.csv} was read from its start again
   * @param rows of {@code metrics.csv}
   * @param values of {@code metrics.csv}
   * @param clockRows of {@code clock.csv}
   */
  record Mark(int generation, int rows, long values, int clockRows) {}

  /**
   * Speed and training time of a run; unknown for runs of older builds without {@code clock.csv}.
   *
   * @param stepsPerSecond over the last updates; null if unknown
   * @param elapsedSeconds training time of all processes of the run; null if unknown
   */
  record Pace(@Nullable Double stepsPerSecond, @Nullable Double elapsedSeconds) {}

  /**
   * @param kept metrics whose values are kept
   */
  RunSeries(RunFiles folder, Predicate<String> kept) {
    this.folder = folder;
    log = new MetricCsvTail(folder, kept);
    clock = new RunClock(folder);
  }

  RunFiles folder() {
    return folder;
  }

  /** Number of values in memory. */
  long size() {
    return size;
  }

  /** Reads what was appended since the last call. */
  synchronized void poll() {
    try {
      log.poll();
      clock.poll();
      size = log.table().values() + clock.table().values();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the run " + folder.id(), failure);
    }
  }

  synchronized Mark mark() {
    MetricTable table = log.table();
    return new Mark(log.generation(), table.rows(), table.values(), clock.table().rows());
  }

  /**
   * Rows that are new or have new values since a position; empty if a client must read everything
   * again.
   *
   * @param most how many rows are worth sending one by one
   */
  synchronized Optional<News> since(Mark mark, int most) {
    MetricTable table = log.table();
    MetricTable times = clock.table();
    int first = Math.max(0, mark.rows() - 1); // its last row may have new values
    if (mark.generation() != log.generation()
        || times.rows() < mark.clockRows()
        || table.rows() - first > most) {
      return Optional.empty();
    }
    List<Row> rows = new ArrayList<>();
    if (table.values() != mark.values()) {
      addRows(rows, table, first);
    }
    addRows(rows, times, mark.clockRows());
    return Optional.of(new News(folder.id(), first > 0 ? table.steps(first - 1) : 0, rows));
  }

  private static void addRows(List<Row> rows, MetricTable table, int first) {
    for (int row = first; row < table.rows(); row++) {
      rows.add(new Row(table.update(row), table.steps(row), table.values(row)));
    }
  }

  synchronized List<MetricInfo> metrics() {
    List<MetricInfo> infos = new ArrayList<>();
    for (MetricTable table : List.of(log.table(), clock.table())) {
      for (MetricTable.Column column : table.columns()) {
        if (column.size() > 0) {
          infos.add(info(column));
        }
      }
    }
    return infos;
  }

  private static MetricInfo info(MetricTable.Column column) {
    Optional<MetricDescription> known = MetricCatalogue.describe(column.name());
    return new MetricInfo(
        column.name(),
        known.map(MetricDescription::meaning).orElse(""),
        known.map(MetricDescription::unit).orElse(""),
        column.size(),
        column.value(column.size() - 1));
  }

  /** Series over environment steps; a metric without values has no entry. */
  Lines series(List<String> names, int most) {
    return series(names, most, 0, Long.MAX_VALUE);
  }

  /**
   * The part of series between two numbers of steps, with a point on either side of it.
   *
   * @param most points of each series
   */
  synchronized Lines series(List<String> names, int most, long from, long to) {
    Map<String, ChartSeries> found = new LinkedHashMap<>();
    for (String name : names) {
      MetricTable table = log.table().find(name) == null ? clock.table() : log.table();
      MetricTable.Column column = table.find(name);
      if (column != null && column.size() > 0) {
        int first = Math.max(0, firstAfter(column, table, from - 1) - 1);
        int end = Math.min(column.size(), firstAfter(column, table, to) + 1);
        found.put(
            name,
            ChartSeries.of(
                end - first,
                i -> table.steps(column.row(first + i)),
                i -> column.value(first + i),
                most));
      }
    }
    MetricTable table = log.table();
    return new Lines(
        table.rows() == 0 ? 0 : table.steps(table.rows() - 1),
        found,
        ChartSeries.even(table.rows(), table::steps, table::update, MOST_AXIS_POINTS),
        clock.seconds(MOST_AXIS_POINTS));
  }

  /** Index of the first value after a number of steps; the number of values if there is none. */
  private static int firstAfter(MetricTable.Column column, MetricTable table, long steps) {
    int low = 0;
    int high = column.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (table.steps(column.row(middle)) > steps) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  synchronized Pace pace() {
    return new Pace(known(clock.recentSpeed()), known(clock.elapsedSeconds()));
  }

  private static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** Problems with {@code metrics.csv}, as sentences. */
  synchronized List<String> problems() {
    return log.malformed() == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "%d line%s of %s %s malformed and ignored; the first is line %d",
                log.malformed(),
                log.malformed() == 1 ? "" : "s",
                RunFiles.METRICS,
                log.malformed() == 1 ? "is" : "are",
                log.firstMalformed()));
  }
}
