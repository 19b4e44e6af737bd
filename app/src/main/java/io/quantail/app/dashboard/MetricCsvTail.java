package io.quantail.app.dashboard;

import io.quantail.run.metrics.MetricCsv;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * The rows of a run's {@code metrics.csv}, kept up to date while the file grows.
 *
 * <p>Malformed lines are skipped and counted. {@code MetricCsvTailTest} pins this.
 */
final class MetricCsvTail {
  private final FileTail file;
  private final MetricTable table = new MetricTable();
  private final Predicate<String> kept;
  private long lines = 1; // the header
  private long malformed;
  private long firstMalformed;

  /**
   * @param kept metrics whose values are kept
   */
  MetricCsvTail(RunFiles folder, Predicate<String> kept) {
    this.kept = kept;
    file =
        new FileTail(
            folder,
            RunFiles.METRICS,
            (channel, offset) -> MetricCsv.readMetrics(channel, offset, this::add, this::skip),
            this::clear);
  }

  /** Reads what was appended since the last call. */
  void poll() throws IOException {
    file.poll();
  }

  private void add(MetricCsv.Entry entry) {
    lines++;
    boolean inOrder = table.row(entry.update(), entry.steps());
    if (inOrder && !kept.test(entry.metric())) {
      return;
    }
    MetricTable.Column column = inOrder ? table.column(entry.metric()) : null;
    if (column == null) {
      countMalformed();
    } else {
      table.add(column, entry.value());
    }
  }

  private void skip(long lineOffset) {
    lines += lineOffset == 0 ? 0 : 1; // the header is counted already
    countMalformed();
  }

  private void countMalformed() {
    malformed++;
    if (firstMalformed == 0) {
      firstMalformed = lines;
    }
  }

  private void clear() {
    table.clear();
    lines = 1;
    malformed = 0;
    firstMalformed = 0;
  }

  MetricTable table() {
    return table;
  }

  /** Number of malformed lines. */
  long malformed() {
    return malformed;
  }

  /** Number of the first malformed line, counted from 1 for the header; 0 if there is none. */
  long firstMalformed() {
    return firstMalformed;
  }

  /** How often the file was read from its start again. */
  int generation() {
    return file.generation();
  }
}
