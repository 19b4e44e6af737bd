package io.quantail.market.layout;

import io.quantail.io.CsvCell;
import io.quantail.market.data.BarFileLayout.Separator;
import io.quantail.market.data.DataException;
import io.quantail.market.data.LineReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The first lines of a text file, divided into cells.
 *
 * @param separator the first of tab, semicolon, pipe and comma that divides nine of ten lines into
 *     the same number of cells, at least five
 * @param rows cells of each line that is not blank
 * @param lines numbers of these lines, from 1
 */
record CellTable(Separator separator, List<List<String>> rows, List<Integer> lines) {
  private static final int MOST_LINES = 20_000;
  private static final long MOST_CHARACTERS = 1L << 24;
  private static final int FEWEST_CELLS = 5;
  private static final double SAME = 0.9;
  private static final List<Separator> ORDER =
      List.of(Separator.TAB, Separator.SEMICOLON, Separator.PIPE, Separator.COMMA);

  static CellTable of(Path file) throws IOException {
    List<String> texts = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    int number = 0;
    long characters = 0;
    try (LineReader reader = new LineReader(file)) {
      for (String line = reader.readLine();
          line != null && texts.size() < MOST_LINES && characters < MOST_CHARACTERS;
          line = reader.readLine()) {
        number++;
        characters += line.length();
        String text = number == 1 ? line.replace("\uFEFF", "") : line;
        if (text.indexOf('\0') >= 0 || (number == 1 && text.startsWith("\uFFFD\uFFFD"))) {
          throw new DataException(file + " is not UTF-8 text; save it as CSV in UTF-8");
        }
        if (number == 1 && text.stripLeading().matches("[\\[{].*")) {
          throw new DataException(
              file
                  + " is JSON, which is not read; save it as CSV or Parquet, from freqtrade with:"
                  + " freqtrade convert-data --format-from json --format-to parquet");
        }
        if (!text.isBlank()) {
          texts.add(text);
          numbers.add(number);
        }
      }
    }
    if (texts.isEmpty()) {
      throw new DataException(file + " is empty; it must have bars");
    }
    return divide(file, texts, numbers);
  }

  private static CellTable divide(Path file, List<String> texts, List<Integer> numbers) {
    for (Separator separator : ORDER) {
      List<List<String>> rows =
          texts.stream().map(text -> CsvCell.split(text, separator.text().charAt(0))).toList();
      int width = rows.get(rows.size() - 1).size();
      long same = rows.stream().filter(row -> row.size() == width).count();
      if (width >= FEWEST_CELLS && same >= SAME * (rows.size() - 5)) {
        return new CellTable(separator, rows, numbers);
      }
    }
    throw new DataException(
        file
            + " is not a table of bars: no separator (tab, ; | ,) gives each line the same five or"
            + " more cells; save it as CSV");
  }

  /** The cells of a column from a row on; rows of another width are left out. */
  List<String> column(int index, int fromRow) {
    int width = width();
    return rows.subList(fromRow, rows.size()).stream()
        .filter(row -> row.size() == width)
        .map(row -> row.get(index))
        .toList();
  }

  int width() {
    return rows.get(rows.size() - 1).size();
  }
}
