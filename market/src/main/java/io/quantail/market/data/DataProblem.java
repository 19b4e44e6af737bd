package io.quantail.market.data;

/**
 * One error or warning about a file of bars.
 *
 * @param severity whether the file is refused
 * @param kind what is wrong; problems of a kind can be summed up
 * @param file name of the file
 * @param line line of a text file or row of a Parquet file, counted from 1; 0 if the problem
 *     concerns the whole file
 * @param column name of the column in the file; empty if the problem concerns several
 * @param value the value found
 * @param rule what is allowed and what to do, worded as the continuation of the value
 */
public record DataProblem(
    Severity severity,
    Kind kind,
    String file,
    long line,
    String column,
    String value,
    String rule) {

  /** Severity of a problem. */
  public enum Severity {
    /** The file is refused. */
    ERROR,
    /** The file is read. */
    WARNING
  }

  /** Kinds of problems. */
  public enum Kind {
    /** The file as a whole. */
    FILE,
    /** A cell, a line or the order of lines. */
    VALUE,
    /** Hours of every day without bars. */
    NIGHT,
    /** A weekend without bars. */
    WEEKEND,
    /** Working days without bars. */
    HOLIDAY,
    /** Missing bars that nothing explains. */
    GAP,
    /** A bar without trades. */
    NO_TRADES,
    /** A large change of price. */
    LARGE_MOVE,
    /** A bar that repeats the one before. */
    REPEATED;

    /** Returns whether bars are missing before a bar. */
    boolean isGap() {
      return this == NIGHT || this == WEEKEND || this == HOLIDAY || this == GAP;
    }

    static Kind of(GapFinder.Kind gap) {
      return switch (gap) {
        case NIGHT -> NIGHT;
        case WEEKEND -> WEEKEND;
        case HOLIDAY -> HOLIDAY;
        case UNEXPLAINED -> GAP;
      };
    }
  }

  static DataProblem ofFile(String file, String rule) {
    return new DataProblem(Severity.ERROR, Kind.FILE, file, 0, "", "", rule);
  }

  /** For example {@code bars.csv, line 7, column high: "99" must be at least low (100)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(file);
    if (line > 0) {
      text.append(", line ").append(line);
    }
    if (!column.isEmpty()) {
      text.append(", column ").append(column);
    }
    text.append(": ");
    if (!value.isEmpty()) {
      text.append('"').append(value).append("\" ");
    }
    return text.append(rule).toString();
  }
}
