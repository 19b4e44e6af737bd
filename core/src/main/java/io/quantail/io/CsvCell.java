package io.quantail.io;

/** Cells of CSV files. */
public final class CsvCell {
  private CsvCell() {}

  /** Returns a text as one cell, in quotes if it contains a comma, a quote or white space. */
  public static String quote(String text) {
    return text.matches("[^,\"\\s]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
