package io.quantail.app.console;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A table as plain text; every column is as wide as its longest cell. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<String> head = new ArrayList<>();
  private final List<Boolean> left = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a column whose cells are aligned left. */
  TextTable left(String name) {
    head.add(name);
    left.add(true);
    return this;
  }

  /** Adds a column whose cells are aligned right, as numbers are. */
  TextTable right(String name) {
    head.add(name);
    left.add(false);
    return this;
  }

  /** Adds a row with one cell for each column. */
  TextTable row(String... cells) {
    if (cells.length != head.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a row of %d cells in a table of %d columns",
              cells.length,
              head.size()));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Adds an empty line. */
  TextTable space() {
    rows.add(Collections.nCopies(head.size(), ""));
    return this;
  }

  /** All lines, indented; a head without names is left out. */
  @Override
  public String toString() {
    List<List<String>> lines = new ArrayList<>(rows);
    if (head.stream().anyMatch(name -> !name.isEmpty())) {
      lines.add(0, head);
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder written = new StringBuilder();
      for (int column = 0; column < line.size(); column++) {
        String padding = " ".repeat(width(lines, column) - line.get(column).length());
        written.append(GAP);
        written.append(left.get(column) ? line.get(column) + padding : padding + line.get(column));
      }
      text.append(written.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }
}
