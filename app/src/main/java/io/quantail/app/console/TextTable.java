package io.quantail.app.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A table as plain text that fits the terminal.
 *
 * <p>Every column is as wide as its longest cell if all of them fit. Otherwise optional columns are
 * left out, the last one first. If this is not enough, heads and text are broken at spaces, numbers
 * never; and at last the columns are printed in several blocks below each other, each of which
 * begins with the first column.
 */
public final class TextTable {
  private static final String GAP = "  ";
  private static final int LONGEST_NAME = 34; // in the first column; a longer one is broken
  private static final int LONGEST_NUMBER = 22; // a longer cell is text, also in a right column

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(String head, boolean left, boolean optional) {}

  /** Adds a column whose cells are aligned left. */
  public TextTable left(String name) {
    columns.add(new Column(name, true, false));
    return this;
  }

  /** Adds a column whose cells are aligned right, as numbers are. */
  public TextTable right(String name) {
    columns.add(new Column(name, false, false));
    return this;
  }

  /** Lets the column that was added last be left out where the table does not fit. */
  public TextTable optional() {
    Column last = columns.remove(columns.size() - 1);
    columns.add(new Column(last.head(), last.left(), true));
    return this;
  }

  /** Adds a row with one cell for each column. */
  public TextTable row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a row of %d cells in a table of %d columns",
              cells.length,
              columns.size()));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Adds an empty line. */
  TextTable space() {
    rows.add(Collections.nCopies(columns.size(), ""));
    return this;
  }

  /** All lines, indented; a head without names is left out. */
  @Override
  public String toString() {
    return text(Terminal.width());
  }

  private String text(int width) {
    StringBuilder text = new StringBuilder();
    for (List<Integer> block : blocks(width)) {
      if (!text.isEmpty()) {
        text.append(System.lineSeparator());
      }
      append(text, block, widths(block, width));
    }
    return text.toString();
  }

  /** The columns of each block; all of them if they fit. */
  private List<List<Integer>> blocks(int width) {
    List<Integer> all = shown(width);
    if (taken(all, this::least) <= width) {
      return List.of(all);
    }
    IntUnaryOperator needed =
        column -> column == 0 ? Math.max(least(0), Math.min(natural(0), width / 3)) : least(column);
    List<List<Integer>> blocks = new ArrayList<>();
    List<Integer> block = new ArrayList<>(List.of(0));
    for (int column : all.subList(1, all.size())) {
      List<Integer> longer = new ArrayList<>(block);
      longer.add(column);
      if (block.size() > 1 && taken(longer, needed) > width) {
        blocks.add(block);
        longer = new ArrayList<>(List.of(0, column));
      }
      block = longer;
    }
    blocks.add(block);
    return blocks;
  }

  /** All columns, or those that are left when optional ones are left out because of the width. */
  private List<Integer> shown(int width) {
    List<Integer> shown = new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
    for (int column = columns.size() - 1; column > 0; column--) {
      if (columns.get(column).optional() && taken(shown, this::natural) > width) {
        shown.remove(Integer.valueOf(column));
      }
    }
    return shown;
  }

  private static int taken(List<Integer> block, IntUnaryOperator width) {
    return block.stream().mapToInt(column -> GAP.length() + width.applyAsInt(column)).sum();
  }

  /** Widths of the columns of a block: natural ones; first wide heads are narrowed, then cells. */
  private int[] widths(List<Integer> block, int width) {
    int[] widths = block.stream().mapToInt(this::natural).toArray();
    int[] least = block.stream().mapToInt(this::least).toArray();
    int[] heads =
        block.stream().mapToInt(column -> Math.max(least(column), cells(column))).toArray();
    int over = Arrays.stream(widths).map(one -> one + GAP.length()).sum() - width;
    for (; over > 0; over--) {
      int widest = widest(widths, heads);
      if (widest < 0) {
        widest = widest(widths, least);
      }
      if (widest < 0) {
        break;
      }
      widths[widest]--;
    }
    return widths;
  }

  /** The widest column that is wider than its least width; -1 if there is none. */
  private static int widest(int[] widths, int[] least) {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  private int natural(int column) {
    return Math.max(columns.get(column).head().length(), cells(column));
  }

  private int cells(int column) {
    return rows.stream().mapToInt(row -> Style.width(row.get(column))).max().orElse(0);
  }

  /** The smallest width at which only spaces are broken. */
  private int least(int column) {
    int head = longestWord(column, columns.get(column).head());
    int cells = rows.stream().mapToInt(row -> least(column, row.get(column))).max().orElse(0);
    return Math.max(head, cells);
  }

  private int least(int column, String cell) {
    int length = Style.width(cell);
    return !columns.get(column).left() && length <= LONGEST_NUMBER
        ? length
        : longestWord(column, cell);
  }

  private int longestWord(int column, String text) {
    int longest =
        Arrays.stream(text.replace(" %", "_%").split(" ", -1))
            .mapToInt(Style::width)
            .max()
            .orElse(0);
    return Math.min(column == 0 ? LONGEST_NAME : LONGEST_NUMBER, longest);
  }

  private void append(StringBuilder text, List<Integer> block, int[] widths) {
    if (block.stream().anyMatch(column -> !columns.get(column).head().isEmpty())) {
      append(text, block, widths, columns.stream().map(Column::head).toList(), true);
    }
    rows.forEach(row -> append(text, block, widths, row, false));
  }

  private void append(
      StringBuilder text, List<Integer> block, int[] widths, List<String> row, boolean head) {
    List<List<String>> cells = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      cells.add(WrappedText.lines(row.get(block.get(i)), Math.max(1, widths[i])));
    }
    int height = cells.stream().mapToInt(List::size).max().orElse(1);
    for (int line = 0; line < height; line++) {
      StringBuilder written = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        List<String> cell = cells.get(i);
        // The lines of a head stand on the first row, those of a cell begin with its own.
        int index = head ? line - height + cell.size() : line;
        String words = index >= 0 && index < cell.size() ? cell.get(index) : "";
        String padding = " ".repeat(Math.max(0, widths[i] - Style.width(words)));
        String shown = head ? Style.BOLD.of(words) : words;
        written.append(GAP);
        written.append(columns.get(block.get(i)).left() ? shown + padding : padding + shown);
      }
      text.append(written.toString().stripTrailing()).append(System.lineSeparator());
    }
  }
}
