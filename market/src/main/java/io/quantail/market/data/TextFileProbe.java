package io.quantail.market.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what DuckDB does not report about a text file: header, separator, line numbers. */
final class TextFileProbe {
  private static final List<String> SEPARATORS = List.of(",", ";", "\t", "|");

  private final Path file;
  private final BarFileLayout layout;
  private final String header;

  TextFileProbe(Path file, BarFileLayout layout) throws IOException {
    this.file = file;
    this.layout = layout;
    try (LineReader reader = new LineReader(file)) {
      String first = reader.readLine();
      header = first == null ? "" : first.replace("\uFEFF", "");
    }
  }

  boolean isEmpty() {
    return header.isBlank();
  }

  /** The declared separator, or the one that occurs most often in the header. */
  String separator() {
    if (layout.separator() != BarFileLayout.Separator.AUTO) {
      return layout.separator().text();
    }
    String best = SEPARATORS.get(0);
    for (String separator : SEPARATORS) {
      if (count(separator) > count(best)) {
        best = separator;
      }
    }
    return best;
  }

  private int count(String separator) {
    return header.length() - header.replace(separator, "").length();
  }

  /** The names of the columns; names of columns that are not read are made different. */
  List<String> columns() {
    if (layout.hasColumns()) {
      List<String> names = new ArrayList<>(layout.columns());
      for (int i = 0; i < names.size(); i++) {
        names.set(i, names.get(i).equals(BarFileLayout.UNUSED) ? "unused " + i : names.get(i));
      }
      return names;
    }
    return Arrays.stream(header.split(Pattern.quote(separator()), -1))
        .map(name -> name.strip().replaceAll("^\"|\"$", ""))
        .toList();
  }

  /**
   * The line numbers of rows. Rows are the lines after the header that are neither blank nor
   * refused.
   *
   * @param wanted rows, counted from 0, in any order
   * @param refused numbers of lines that are not rows
   */
  long[] lines(int[] wanted, Set<Long> refused) throws IOException {
    long[] lines = new long[wanted.length];
    int[] sorted = wanted.clone();
    Arrays.sort(sorted);
    try (LineReader reader = new LineReader(file)) {
      long number = 0;
      while (number < layout.headerLines()) {
        reader.skipLine();
        number++;
      }
      int row = -1;
      int next = 0;
      long[] found = new long[sorted.length];
      while (reader.skipLine()) {
        number++;
        if (reader.isBlank() || refused.contains(number)) {
          continue;
        }
        row++;
        while (next < sorted.length && sorted[next] == row) {
          found[next++] = number;
        }
        if (next == sorted.length) {
          break;
        }
      }
      for (int i = 0; i < wanted.length; i++) {
        lines[i] = found[Arrays.binarySearch(sorted, wanted[i])];
      }
    }
    return lines;
  }
}
