package io.quantail.market.data;

/**
 * One thing that is wrong, or odd, with a file of bars.
 *
 * @param severity whether it stops the reading
 * @param file the file
 * @param line the line in a text file, the row in a Parquet file, counted from 1; 0 if the problem
 *     is of the file as a whole
 * @param column the name of the column as the file writes it; empty if no single one is to blame
 * @param value what was found
 * @param rule what should be there, and what to do
 */
public record DataProblem(
    Severity severity, String file, long line, String column, String value, String rule) {

  /** Whether a problem stops the reading. */
  public enum Severity {
    ERROR,
    WARNING
  }

  static DataProblem ofFile(String file, String rule) {
    return new DataProblem(Severity.ERROR, file, 0, "", "", rule);
  }

  /** {@code bars.csv, line 7, column high: "99" must be at least low (100)}. */
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
