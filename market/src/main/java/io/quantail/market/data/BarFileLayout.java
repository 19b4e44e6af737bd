package io.quantail.market.data;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a text file of bars is written; section {@code market.data.layout}. {@code quantail init}
 * detects it. Of a Parquet file only the time format, zone and prices are used.
 *
 * @param headerLines lines before the first bar; in [0, 100], and 1 without {@code columns};
 *     default 1
 * @param columns meaning of each column, in the order of the file: {@code ts}, or {@code date} and
 *     {@code time}; {@code open, high, low, close}; {@code adj_close, volume, quote_volume, trades,
 *     taker_buy_volume, symbol}, names that start with {@code x_}, and {@code -} for a column that
 *     is not read; default empty: from the names in the header
 * @param separator separator of cells; default {@code auto}: the one that is most frequent in the
 *     header
 * @param decimal decimal sign; with {@code comma} points separate thousands; default {@code point}
 * @param timeFormat {@code auto, iso, date, seconds, milliseconds, microseconds, nanoseconds}, or a
 *     pattern of {@code %Y %m %d %H %M %S}; default {@code auto}: from all rows of the file
 * @param zone time zone of times that do not state theirs, such as {@code America/New_York}; dates
 *     have none; default {@code UTC}
 * @param prices prices as they are, or multiplied by {@code adj_close / close}; default {@code raw}
 */
public record BarFileLayout(
    int headerLines,
    List<String> columns,
    Separator separator,
    Decimal decimal,
    String timeFormat,
    String zone,
    Prices prices) {
  /** Name of a column that is not read. */
  public static final String UNUSED = "-";

  private static final String PATH = "market.data.layout.";
  private static final List<String> PRICES = List.of("open", "high", "low", "close");
  private static final List<String> KNOWN =
      List.of(
          "ts",
          "date",
          "time",
          "open",
          "high",
          "low",
          "close",
          "adj_close",
          "volume",
          "quote_volume",
          "trades",
          "taker_buy_volume",
          "symbol",
          UNUSED);

  /** Separators of cells. */
  public enum Separator {
    /** The one that is most frequent in the header. */
    AUTO(""),
    /** {@code ,}. */
    COMMA(","),
    /** {@code ;}. */
    SEMICOLON(";"),
    /** A tabulator. */
    TAB("\t"),
    /** {@code |}. */
    PIPE("|");

    private final String text;

    Separator(String text) {
      this.text = text;
    }

    /** {@return the separator itself; empty for {@link #AUTO}} */
    public String text() {
      return text;
    }
  }

  /** Decimal signs. */
  public enum Decimal {
    /** {@code 1234.5}. */
    POINT,
    /** {@code 1234,5} or {@code 1.234,5}. */
    COMMA
  }

  /** Which prices are used. */
  public enum Prices {
    /** As they are in the file. */
    RAW,
    /** Multiplied by the adjusted close over the close. */
    ADJUSTED
  }

  /**
   * Checks columns, time format and zone.
   *
   * @param headerLines lines before the first bar
   * @param columns meaning of each column
   * @param separator separator of cells
   * @param decimal decimal sign
   * @param timeFormat format of times
   * @param zone zone of times that do not state theirs
   * @param prices raw or adjusted prices
   * @throws ConfigException if a value is not allowed
   */
  public BarFileLayout {
    columns = List.copyOf(columns);
    Check.within(PATH + "headerLines", headerLines, 0, 100);
    Check.present(PATH + "separator", separator);
    Check.present(PATH + "decimal", decimal);
    Check.present(PATH + "prices", prices);
    if (!TimeSpec.isValid(timeFormat)) {
      throw new ConfigException(
          PATH
              + "timeFormat must be auto, iso, date, seconds, milliseconds, microseconds,"
              + " nanoseconds or a pattern of %Y, %m, %d, %H, %M, %S, was \""
              + timeFormat
              + "\"");
    }
    requireZone(zone);
    if (columns.isEmpty() && headerLines != 1) {
      throw new ConfigException(
          PATH
              + "headerLines must be 1 without market.data.layout.columns, which names the columns"
              + " of other files, was "
              + headerLines);
    }
    if (!columns.isEmpty()) {
      requireColumns(columns, prices);
    }
  }

  private static void requireZone(String zone) {
    try {
      ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      throw new ConfigException(
          PATH + "zone must be a time zone such as UTC or America/New_York, was \"" + zone + "\"");
    }
  }

  private static void requireColumns(List<String> columns, Prices prices) {
    Set<String> found = new HashSet<>();
    for (String name : columns) {
      if (!KNOWN.contains(name) && !name.startsWith("x_")) {
        throw Check.notOneOf(PATH + "columns", name, KNOWN);
      }
      if (!found.add(name) && !name.equals(UNUSED)) {
        throw new ConfigException(PATH + "columns must name each column once, has two of " + name);
      }
    }
    if (found.contains("ts") == found.contains("date")
        || (found.contains("time") && !found.contains("date"))) {
      throw new ConfigException(
          PATH + "columns must have either ts, or date with or without time, was " + columns);
    }
    if (!found.containsAll(PRICES)) {
      throw new ConfigException(
          PATH + "columns must have open, high, low and close, was " + columns);
    }
    if (prices == Prices.ADJUSTED && !found.contains("adj_close")) {
      throw new ConfigException(
          PATH + "prices is adjusted, so columns must have adj_close, was " + columns);
    }
  }

  /** {@return the default settings: everything is taken from the file} */
  public static BarFileLayout defaults() {
    return new BarFileLayout(
        1, List.of(), Separator.AUTO, Decimal.POINT, TimeSpec.AUTO, "UTC", Prices.RAW);
  }

  /** {@return whether the columns are given, so that names in the header do not matter} */
  boolean hasColumns() {
    return !columns.isEmpty();
  }
}
