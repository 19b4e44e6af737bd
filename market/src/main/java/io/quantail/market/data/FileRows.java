package io.quantail.market.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file as they were read in one pass, and what all their times can be read as.
 *
 * @param times as the format of times writes them in SQL; NaN for what is no time
 * @param numbers of each column
 * @param adjustedCloses adjusted close of each row; empty where it is not used
 * @param marked number of rows with each sum of marks
 */
record FileRows(double[] times, double[][] numbers, double[] adjustedCloses, long[] marked) {
  private static final int DAY = 1;
  private static final int OTHER_SYMBOL = 2;
  private static final int FIRST_CAPACITY = 1 << 14;

  /** SQL of the mark of a time of ten characters, such as a date has. */
  static String ofDay(String time) {
    return DAY + " * COALESCE((length(trim(" + time + ")) = 10)::INT, 0)";
  }

  /**
   * SQL of the mark of a row with another symbol than the first row.
   *
   * @param symbol SQL of the row's symbol
   * @param first SQL of the first row's symbol; null if it has none
   */
  static String otherSymbol(String symbol, @Nullable String first) {
    return OTHER_SYMBOL + " * (" + symbol + " IS DISTINCT FROM " + first + ")::INT";
  }

  /**
   * Reads marks, time, numbers and adjusted close of all rows.
   *
   * @param columns how many numbers a row has
   * @param adjusted whether the adjusted close is used
   */
  static FileRows read(ResultSet rows, int columns, boolean adjusted) throws SQLException {
    double[] times = new double[FIRST_CAPACITY];
    double[][] numbers = new double[columns][FIRST_CAPACITY];
    double[] closes = new double[adjusted ? FIRST_CAPACITY : 0];
    long[] marked = new long[2 * OTHER_SYMBOL];
    int size = 0;
    while (rows.next()) {
      if (size == times.length) {
        int more = capacity(size);
        times = Arrays.copyOf(times, more);
        resize(numbers, more);
        closes = Arrays.copyOf(closes, adjusted ? more : 0);
      }
      marked[rows.getInt(1)]++;
      times[size] = rows.getDouble(2);
      for (int i = 0; i < columns; i++) {
        numbers[i][size] = rows.getDouble(i + 3);
      }
      if (adjusted) {
        closes[size] = rows.getDouble(columns + 3);
      }
      size++;
    }
    resize(numbers, size);
    return new FileRows(
        Arrays.copyOf(times, size), numbers, Arrays.copyOf(closes, adjusted ? size : 0), marked);
  }

  private static int capacity(int size) throws SQLException {
    int most = Integer.MAX_VALUE - 8;
    if (size == most) {
      throw new SQLException("bars are more than an array holds; split the file");
    }
    return (int) Math.min(most, size + (size >> 1) + 1L);
  }

  private static void resize(double[][] columns, int size) {
    for (int i = 0; i < columns.length; i++) {
      columns[i] = Arrays.copyOf(columns[i], size);
    }
  }

  /** The number of rows. */
  int size() {
    return times.length;
  }

  /** Whether all rows have the symbol of the first. */
  boolean sameSymbol() {
    return count(OTHER_SYMBOL) == 0;
  }

  /**
   * Whether all rows together have the format of times that the first ones have. False may also
   * mean that they have to be looked at again.
   */
  boolean prove(TimeFormat format) {
    if (format.isNumber()) { // then their median, which decides, fits too
      return Arrays.stream(times).allMatch(time -> time > 0 && format.fits(time));
    }
    boolean written = Arrays.stream(times).noneMatch(Double::isNaN);
    return written && format == TimeFormat.ofWritten(count(DAY) == size());
  }

  private long count(int mark) {
    long count = 0;
    for (int marks = 0; marks < marked.length; marks++) {
      count += (marks & mark) == 0 ? 0 : marked[marks];
    }
    return count;
  }
}
