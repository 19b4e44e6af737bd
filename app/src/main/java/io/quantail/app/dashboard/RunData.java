package io.quantail.app.dashboard;

import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The metrics of one run in memory, as fresh as its files; safe for use by several threads. */
final class RunData {
  private final RunFolder folder;
  private final MetricTail log;
  private final ClockTail clock;

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
   * Rows that somebody has not been told in full.
   *
   * @param run they belong to
   * @param after steps of the row before them; who has not got so far has missed something
   * @param rows of the log and of the event files
   */
  record News(String run, long after, List<Row> rows) {}

  /**
   * Lines, and how far they go.
   *
   * @param steps of the newest row of the log
   * @param series by metric
   */
  record Lines(long steps, Map<String, Series> series) {}

  /**
   * How far somebody has been told.
   *
   * @param generation of the log
   * @param rows of the log
   * @param values of the log
   * @param clockRows of the event files
   */
  record Mark(int generation, int rows, long values, int clockRows) {}

  /**
   * How fast a run is.
   *
   * @param stepsPerSecond over the last updates; null if unknown
   * @param elapsedSeconds of training over all starts; null if unknown
   */
  record Pace(Double stepsPerSecond, Double elapsedSeconds) {}

  RunData(RunFolder folder) {
    this.folder = folder;
    log = new MetricTail(folder);
    clock = new ClockTail(folder);
  }

  RunFolder folder() {
    return folder;
  }

  /** Takes in what has been written since the last call. */
  synchronized void poll() {
    try {
      log.poll();
      clock.poll();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the run " + folder.id(), failure);
    }
  }

  synchronized Mark mark() {
    MetricTable table = log.table();
    return new Mark(log.generation(), table.rows(), table.values(), clock.table().rows());
  }

  /**
   * Rows that somebody has not been told in full; empty when all must be read again.
   *
   * @param most how many rows are worth telling one by one
   */
  synchronized Optional<News> since(Mark mark, int most) {
    MetricTable table = log.table();
    MetricTable times = clock.table();
    int first = Math.max(0, mark.rows() - 1); // its last row may have become longer
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

  /** Lines over environment steps; a metric without values has no entry. */
  synchronized Lines series(List<String> names, int most) {
    Map<String, Series> found = new LinkedHashMap<>();
    for (String name : names) {
      MetricTable table = log.table().find(name) == null ? clock.table() : log.table();
      MetricTable.Column column = table.find(name);
      if (column != null && column.size() > 0) {
        found.put(
            name, Series.of(column.size(), i -> table.steps(column.row(i)), column::value, most));
      }
    }
    MetricTable table = log.table();
    return new Lines(table.rows() == 0 ? 0 : table.steps(table.rows() - 1), found);
  }

  synchronized Pace pace() {
    return new Pace(known(clock.recentSpeed()), known(clock.elapsedSeconds()));
  }

  private static Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** What is wrong with the log, for people. */
  synchronized List<String> problems() {
    return log.broken() == 0
        ? List.of()
        : List.of(
            "%d line%s of %s could not be read and %s left out; the first is line %d"
                .formatted(
                    log.broken(),
                    log.broken() == 1 ? "" : "s",
                    RunFolder.METRICS,
                    log.broken() == 1 ? "is" : "are",
                    log.firstBroken()));
  }
}
