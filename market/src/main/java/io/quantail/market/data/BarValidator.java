package io.quantail.market.data;

import io.quantail.market.data.DataProblem.Kind;
import io.quantail.market.data.DataProblem.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Validates bars: prices must be finite and positive with low ≤ open, close ≤ high, volumes at
 * least 0, and times one bar length apart. It reports every violation, not the first one only.
 * Tested by {@code BarsReaderTest}.
 */
final class BarValidator {
  /** Price changes of more robust standard deviations than this get a warning. */
  private static final double LARGE_MOVE = 12;

  /** Half of all normal deviates lie within this many standard deviations of the mean. */
  private static final double HALF_NORMAL = 0.6745;

  /**
   * One violation of a rule.
   *
   * @param severity whether the bars are refused
   * @param kind what is wrong
   * @param row index of the bar
   * @param column 0 to 4: open, high, low, close, volume; 5 and up: optional and extra; −1: time
   * @param rule the violated rule, worded as the continuation of the value
   */
  record Finding(Severity severity, Kind kind, int row, int column, String rule) {}

  static final int TIME = -1;

  private final BarsBuilder bars;
  private final double[][] columns;
  private final int optionalColumns;
  private final boolean volumeGiven;
  private final Map<Integer, GapFinder.Kind> gaps = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * A validator of collected bars.
   *
   * @param columns the numbers of the bars, in the order of the builder
   * @param optionalColumns how many of them are neither prices, volume nor extra
   * @param volumeGiven whether the file has volumes; bars without trades are not known otherwise
   */
  BarValidator(BarsBuilder bars, double[][] columns, int optionalColumns, boolean volumeGiven) {
    this.bars = bars;
    this.columns = columns;
    this.optionalColumns = optionalColumns;
    this.volumeGiven = volumeGiven;
  }

  /** Returns all violations; gaps count as such unless they are allowed. */
  List<Finding> validate(boolean gapsAllowed) {
    if (!gapsAllowed) {
      GapFinder.of(bars.times(), bars.barMillis).forEach(gap -> gaps.put(gap.row(), gap.kind()));
    }
    for (int row = 0; row < bars.size(); row++) {
      validateNumbers(row);
      validateTime(row);
    }
    boolean refused = findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    warnOfLargeMoves();
    if (!refused) {
      warnOfRepeatedBars();
    }
    return findings;
  }

  private void validateNumbers(int row) {
    boolean readable = true;
    for (int c = 0; c < 5 + optionalColumns; c++) {
      double value = columns[c][row];
      if (!Double.isFinite(value)) {
        error(row, c, "must be a finite number");
        readable &= c >= 5;
      } else if (c < BarsBuilder.VOLUME && value <= 0) {
        error(row, c, "must be a positive price");
        readable = false;
      } else if (c >= BarsBuilder.VOLUME && value < 0) {
        error(row, c, "must be at least 0");
      }
    }
    for (int c = 5 + optionalColumns; c < columns.length; c++) {
      if (Double.isInfinite(columns[c][row])) {
        error(row, c, "must be a finite number or empty");
      }
    }
    if (readable) {
      validateShape(row);
    }
    if (volumeGiven && columns[BarsBuilder.VOLUME][row] == 0) {
      warn(Kind.NO_TRADES, row, BarsBuilder.VOLUME, "means that the bar has no trades");
    }
  }

  private void validateShape(int row) {
    double open = columns[BarsBuilder.OPEN][row];
    double high = columns[BarsBuilder.HIGH][row];
    double low = columns[BarsBuilder.LOW][row];
    double close = columns[BarsBuilder.CLOSE][row];
    if (high < low) {
      error(row, BarsBuilder.HIGH, "must be at least low (" + low + ")");
      return;
    }
    if (high < Math.max(open, close)) {
      error(
          row,
          BarsBuilder.HIGH,
          "must be at least open (%s) and close (%s)".formatted(open, close));
    }
    if (low > Math.min(open, close)) {
      error(
          row, BarsBuilder.LOW, "must be at most open (%s) and close (%s)".formatted(open, close));
    }
  }

  private void validateTime(int row) {
    if (bars.time(row) == BarsFileReader.NO_TIME) {
      error(row, TIME, "must be a time, written as in the rest of the file");
      return;
    }
    if (row == 0 || bars.time(row - 1) == BarsFileReader.NO_TIME) {
      return;
    }
    long step = bars.time(row) - bars.time(row - 1);
    if (step == 0) {
      error(row, TIME, "is also the time of the previous bar; each bar must have its own time");
    } else if (step < 0) {
      error(row, TIME, "is earlier than the previous bar; sort the file by time");
    } else if (bars.barMillis > 0 && step < bars.barMillis) {
      error(
          row,
          TIME,
          "is %s after the previous bar, less than the bar length of %s; correct one of them"
              .formatted(BarLength.written(step), BarLength.written(bars.barMillis)));
    } else if (gaps.containsKey(row)) {
      add(
          Severity.ERROR,
          Kind.of(Objects.requireNonNull(gaps.get(row))),
          row,
          TIME,
          "is %s after the previous bar, the bar length is %s; add the missing bars, or allow gaps"
                  .formatted(BarLength.written(step), BarLength.written(bars.barMillis))
              + " (market.data.gaps=allow or --allow-gaps)");
    }
  }

  private void warnOfLargeMoves() {
    int size = bars.size();
    if (size < 10) {
      return;
    }
    double[] moves = new double[size - 1];
    double[] closes = columns[BarsBuilder.CLOSE];
    Arrays.setAll(moves, i -> Math.abs(Math.log(closes[i + 1] / closes[i])));
    double[] sorted = Arrays.stream(moves).filter(Double::isFinite).sorted().toArray();
    double robust = sorted.length == 0 ? 0 : sorted[sorted.length / 2] / HALF_NORMAL;
    for (int i = 0; i < moves.length && robust > 0; i++) {
      if (moves[i] > LARGE_MOVE * robust) {
        warn(
            Kind.LARGE_MOVE,
            i + 1,
            BarsBuilder.CLOSE,
            String.format(
                Locale.ROOT,
                "is %.0f robust standard deviations from the previous close",
                moves[i] / robust));
      }
    }
  }

  /** Warns of repeated bars, as a stalled data feed delivers them; once for each sequence. */
  private void warnOfRepeatedBars() {
    int row = 1;
    while (row < bars.size()) {
      int end = row;
      while (end < bars.size() && repeats(end)) {
        end++;
      }
      if (end > row) {
        warn(
            Kind.REPEATED,
            row,
            TIME,
            "repeats prices and volume of the previous bar, repeated bars in a row: "
                + (end - row));
      }
      row = end + 1;
    }
  }

  private boolean repeats(int row) {
    if (columns[BarsBuilder.VOLUME][row] == 0) {
      return false; // has a warning of its own
    }
    for (int c = 0; c <= BarsBuilder.VOLUME; c++) {
      if (columns[c][row] != columns[c][row - 1]) {
        return false;
      }
    }
    return true;
  }

  private void error(int row, int column, String rule) {
    add(Severity.ERROR, Kind.VALUE, row, column, rule);
  }

  private void warn(Kind kind, int row, int column, String rule) {
    add(Severity.WARNING, kind, row, column, rule);
  }

  private void add(Severity severity, Kind kind, int row, int column, String rule) {
    findings.add(new Finding(severity, kind, row, column, rule));
  }
}
