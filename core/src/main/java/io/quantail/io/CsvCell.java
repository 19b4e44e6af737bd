package io.quantail.io;

import java.util.ArrayList;
import java.util.List;

/** Cells of CSV files. */
public final class CsvCell {
  private CsvCell() {}

  /** Returns a text as one cell, in quotes if it contains a comma, a quote or white space. */
  public static String quote(String text) {
    return text.matches("[^,\"\\s]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /**
   * Divides a line into its cells, without quotes around them and white space at their ends.
   *
   * @param separator between cells; inside quotes it belongs to the cell, and two quotes are one
   */
  public static List<String> split(String line, char separator) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char sign = line.charAt(i);
      if (sign == '"') {
        if (!quoted && i > 0 && line.charAt(i - 1) == '"') {
          cell.append(sign);
        }
        quoted = !quoted;
      } else if (sign == separator && !quoted) {
        cells.add(cell.toString().strip());
        cell.setLength(0);
      } else {
        cell.append(sign);
      }
    }
    cells.add(cell.toString().strip());
    return cells;
  }
}
