package io.quantail.market.data;

import io.quantail.market.data.DataProblem.Severity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What bars must be: finite positive prices with low ≤ open, close ≤ high, volumes of at least 0,
 * times that grow by one bar length each. Everything that is wrong is found, not the first alone.
 * {@code BarsReaderTest} pins it.
 */
final class BarValidator {
  /** A jump of the price by more robust standard deviations than this is worth a warning. */
  private static final double WILD = 12;

  /** A normal deviate lies within 0.6745 standard deviations half of the time. */
  private static final double HALF_NORMAL = 0.6745;

  /**
   * Something found.
   *
   * @param row the row
   * @param column 0 to 4: open, high, low, close, volume; 5 and up: optional and extra; −1: time
   * @param rule what should be there
   */
  record Finding(Severity severity, int row, int column, String rule) {}

  static final int TIME = -1;

  private final BarsBuilder bars;
  private final double[][] columns;
  private final int optionalColumns;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param columns the numbers of the bars, in the order of the builder
   * @param optionalColumns how many of them are neither prices, volume nor extra
   */
  BarValidator(BarsBuilder bars, double[][] columns, int optionalColumns) {
    this.bars = bars;
    this.columns = columns;
    this.optionalColumns = optionalColumns;
  }

  List<Finding> judge(boolean gapsAllowed) {
    for (int row = 0; row < bars.size(); row++) {
      judgeNumbers(row);
      judgeTime(row, gapsAllowed);
    }
    boolean refused = findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    warnOfWildMoves();
    if (!refused) {
      warnOfRepeatedBars();
    }
    return findings;
  }

  private void judgeNumbers(int row) {
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
      judgeShape(row);
    }
    if (columns[BarsBuilder.VOLUME][row] == 0) {
      warn(row, BarsBuilder.VOLUME, "is a bar without trades");
    }
  }

  private void judgeShape(int row) {
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

  private void judgeTime(int row, boolean gapsAllowed) {
    if (bars.time(row) == BarsFileReader.NO_TIME) {
      error(row, TIME, "must be a time, written as in the rest of the file");
      return;
    }
    if (row == 0 || bars.time(row - 1) == BarsFileReader.NO_TIME) {
      return;
    }
    long step = bars.time(row) - bars.time(row - 1);
    if (step == 0) {
      error(row, TIME, "is the time of the bar before; each bar needs its own");
    } else if (step < 0) {
      error(row, TIME, "is earlier than the bar before; sort the file by time");
    } else if (bars.barMillis > 0 && step < bars.barMillis) {
      error(
          row,
          TIME,
          "comes %s after the bar before, less than a bar of %s"
              .formatted(BarLength.written(step), BarLength.written(bars.barMillis)));
    } else if (bars.barMillis > 0 && step > bars.barMillis && !gapsAllowed) {
      error(
          row,
          TIME,
          "comes %s after the bar before, a bar is %s; declare gaps if the market was closed"
              .formatted(BarLength.written(step), BarLength.written(bars.barMillis)));
    }
  }

  private void warnOfWildMoves() {
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
      if (moves[i] > WILD * robust) {
        warn(
            i + 1,
            BarsBuilder.CLOSE,
            "is %.0f robust standard deviations from the close before"
                .formatted(moves[i] / robust));
      }
    }
  }

  /** A feed that stands still repeats its last bar; one warning for each stretch. */
  private void warnOfRepeatedBars() {
    int row = 1;
    while (row < bars.size()) {
      int end = row;
      while (end < bars.size() && repeats(end)) {
        end++;
      }
      if (end > row) {
        warn(row, TIME, "has prices and volume of the bar before, bars in a row: " + (end - row));
      }
      row = end + 1;
    }
  }

  private boolean repeats(int row) {
    if (columns[BarsBuilder.VOLUME][row] == 0) {
      return false; // told already
    }
    for (int c = 0; c <= BarsBuilder.VOLUME; c++) {
      if (columns[c][row] != columns[c][row - 1]) {
        return false;
      }
    }
    return true;
  }

  private void error(int row, int column, String rule) {
    findings.add(new Finding(Severity.ERROR, row, column, rule));
  }

  private void warn(int row, int column, String rule) {
    findings.add(new Finding(Severity.WARNING, row, column, rule));
  }
}
