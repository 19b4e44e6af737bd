package io.quantail.market.layout;

import io.quantail.market.data.BarFileLayout;
import io.quantail.market.data.ColumnNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns a meaning to each column of a table: by the names in its header, or, without a header, by
 * the number of columns and what they hold.
 */
final class ColumnGuess {
  private static final List<String> PRICES = List.of("open", "high", "low", "close");
  private static final Map<Integer, List<String>> BINANCE =
      Map.of(
          12,
          List.of(
              "ts",
              "open",
              "high",
              "low",
              "close",
              "volume",
              "-",
              "quote_volume",
              "trades",
              "taker_buy_volume",
              "-",
              "-"));

  private final CellTable table;
  private final int headerRows;
  private final List<String> names;
  private final String[] meanings;
  private boolean openTime;
  private boolean closeTime;

  ColumnGuess(CellTable table) {
    this.table = table;
    this.headerRows = headerRows(table);
    this.names = header();
    this.meanings = new String[table.width()];
    Arrays.fill(meanings, BarFileLayout.UNUSED);
    if (headerRows < 0) {
      return;
    }
    if (names.isEmpty()) {
      assignByContent();
    } else {
      assignByName();
    }
  }

  /** The number of rows before the first with a time and four numbers; −1 if there is none. */
  private static int headerRows(CellTable table) {
    for (int row = 0; row < Math.min(20, table.rows().size()); row++) {
      List<String> cells = table.rows().get(row);
      long numbers = cells.stream().filter(ColumnGuess::isNumber).count();
      boolean time = cells.stream().anyMatch(TimeCells::isTime);
      if (cells.size() == table.width() && time && numbers >= 4) {
        return row;
      }
    }
    return -1;
  }

  static boolean isNumber(String cell) {
    return cell.matches("[+-]?\\d[\\d.,]*([eE][+-]?\\d+)?");
  }

  /** The header row with most names that are known; empty without a header. */
  private List<String> header() {
    List<String> best = List.of();
    long most = 0;
    for (int row = 0; row < headerRows; row++) {
      List<String> cells = table.rows().get(row);
      long known = cells.stream().filter(cell -> ColumnNames.meaning(cell) != null).count();
      if (cells.size() == table.width() && known > most) {
        best = cells;
        most = known;
      }
    }
    return best;
  }

  private void assignByName() {
    for (int i = 0; i < meanings.length; i++) {
      String meaning = ColumnNames.meaning(names.get(i));
      if (meaning != null && indexOf(meaning) < 0) {
        meanings[i] = meaning;
      }
    }
    assignVolume();
    assignTime();
  }

  /** MetaTrader has ticks and a real volume, which is often 0; others name the unit. */
  private void assignVolume() {
    int ticks = named(List.of("tickvol", "tickvolume"));
    int volume = indexOf("volume");
    boolean empty =
        volume < 0
            || table.column(volume, headerRows).stream().allMatch(v -> v.matches("0*\\.?0*"));
    if (ticks >= 0 && empty) {
      if (volume >= 0) {
        meanings[volume] = BarFileLayout.UNUSED;
      }
      meanings[ticks] = "volume";
    } else if (volume < 0) {
      IntStream.range(0, meanings.length)
          .filter(i -> isUnused(i) && ColumnNames.fold(names.get(i)).startsWith("volume"))
          .findFirst()
          .ifPresent(i -> meanings[i] = "volume");
    }
  }

  private void assignTime() {
    int open = named(ColumnNames.OPEN_TIMES);
    int close = named(ColumnNames.CLOSE_TIMES);
    int date = named(List.of("date"));
    int clock = named(List.of("time"));
    openTime = open >= 0;
    closeTime = open < 0 && close >= 0;
    if (open >= 0 || close >= 0) {
      meanings[open >= 0 ? open : close] = "ts";
    } else if (date >= 0 && clock >= 0 && all(clock, TimeCells::isClock)) {
      assignPair(date, clock);
    } else {
      List<String> aliases = new ArrayList<>(ColumnNames.TIMES);
      aliases.addAll(List.of("unix", "unixtimestamp", "timestampms"));
      int found =
          aliases.stream()
              .mapToInt(alias -> named(List.of(alias)))
              .filter(i -> i >= 0 && all(i, TimeCells::isTime))
              .findFirst()
              .orElseGet(this::firstTime);
      if (found >= 0) {
        meanings[found] = "ts";
      }
    }
  }

  /** A clock that stands at midnight in all rows says nothing. */
  private void assignPair(int date, int clock) {
    boolean midnight = all(clock, cell -> cell.matches("[0:]+"));
    meanings[date] = midnight ? "ts" : "date";
    if (!midnight) {
      meanings[clock] = "time";
    }
  }

  private int firstTime() {
    return IntStream.range(0, meanings.length)
        .filter(i -> isUnused(i) && all(i, TimeCells::isTime))
        .findFirst()
        .orElse(-1);
  }

  private void assignByContent() {
    boolean pair =
        meanings.length > 5 && all(1, TimeCells::isClock) && !all(0, ColumnGuess::isEpoch);
    if (!all(0, TimeCells::isTime)) {
      return;
    }
    List<String> binance = BINANCE.get(meanings.length);
    if (binance != null && all(0, ColumnGuess::isEpoch) && all(6, ColumnGuess::isEpoch)) {
      binance.toArray(meanings);
      return;
    }
    if (pair) {
      assignPair(0, 1);
    } else {
      meanings[0] = "ts";
    }
    int first = pair ? 2 : 1;
    for (int i = 0; i < PRICES.size() && first + i < meanings.length; i++) {
      meanings[first + i] = PRICES.get(i);
    }
    if (first + 4 < meanings.length) {
      meanings[first + 4] = "volume";
    }
    if (isKraken()) {
      meanings[6] = "trades";
    }
  }

  boolean isKraken() {
    return names.isEmpty() && meanings.length == 7 && all(0, cell -> cell.matches("\\d{9,10}"));
  }

  boolean isBinance() {
    return names.isEmpty()
        ? meanings.length == 12 && isRead("quote_volume")
        : openTime && isRead("taker_buy_volume");
  }

  private static boolean isEpoch(String cell) {
    return cell.matches("\\d{12,19}");
  }

  private boolean isUnused(int column) {
    return meanings[column].equals(BarFileLayout.UNUSED);
  }

  private boolean all(int column, Predicate<String> test) {
    List<String> cells = table.column(column, headerRows);
    return !cells.isEmpty() && cells.stream().allMatch(test);
  }

  /** The first column with one of these names; −1 if there is none. */
  int named(List<String> aliases) {
    return IntStream.range(0, names.size())
        .filter(i -> aliases.contains(ColumnNames.fold(names.get(i))))
        .findFirst()
        .orElse(-1);
  }

  int indexOf(String meaning) {
    return Arrays.asList(meanings).indexOf(meaning);
  }

  boolean isRead(String meaning) {
    return indexOf(meaning) >= 0;
  }

  /** The meanings that are required and that no column has. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!isRead("ts") && !isRead("date")) {
      missing.add("time");
    }
    PRICES.stream().filter(price -> !isRead(price)).forEach(missing::add);
    return missing;
  }

  /** Whether high and low of a table without names are where they should be in all rows. */
  boolean fitsPrices() {
    if (!names.isEmpty()) {
      return true;
    }
    double[] open = values("open");
    double[] high = values("high");
    double[] low = values("low");
    double[] close = values("close");
    return IntStream.range(0, open.length)
        .noneMatch(
            i -> high[i] < Math.max(open[i], close[i]) || low[i] > Math.min(open[i], close[i]));
  }

  private double[] values(String meaning) {
    return cells(meaning).stream().mapToDouble(ColumnGuess::value).toArray();
  }

  private static double value(String cell) {
    try {
      return Double.parseDouble(cell.replace(',', '.'));
    } catch (NumberFormatException text) {
      return Double.NaN;
    }
  }

  /** The cells of the time: of one column, or of date and time of day. */
  List<String> times() {
    if (!isRead("time")) {
      return table.column(indexOf(isRead("ts") ? "ts" : "date"), headerRows);
    }
    List<String> dates = table.column(indexOf("date"), headerRows);
    List<String> clocks = table.column(indexOf("time"), headerRows);
    return IntStream.range(0, dates.size())
        .mapToObj(i -> dates.get(i) + " " + clocks.get(i))
        .toList();
  }

  List<String> cells(String meaning) {
    return table.column(indexOf(meaning), headerRows);
  }

  List<String> meanings() {
    return List.of(meanings);
  }

  List<String> names() {
    return names;
  }

  /** The name in the file; null without a header. */
  @Nullable String name(String meaning) {
    return names.isEmpty() || !isRead(meaning) ? null : names.get(indexOf(meaning));
  }

  boolean hasOpenTime() {
    return openTime;
  }

  boolean hasCloseTime() {
    return closeTime;
  }

  boolean hasBars() {
    return headerRows >= 0;
  }

  /** Lines before the first bar; blank lines count. */
  int headerLines() {
    return table.lines().get(headerRows) - 1;
  }
}
