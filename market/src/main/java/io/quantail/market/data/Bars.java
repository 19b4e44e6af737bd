package io.quantail.market.data;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bars of one symbol in order of time, in flat arrays; immutable.
 *
 * <p>The time of a bar is that of its <em>close</em>: the values of bar {@code t} are known from
 * {@code time(t)} on and not before. Values of an optional column that the file does not have are
 * NaN, see {@link #has}.
 */
public final class Bars {

  /** Columns that a file of bars may omit. */
  public enum Optional {
    /** Traded amount in money. */
    QUOTE_VOLUME,
    /** Number of trades. */
    TRADES,
    /** Volume bought by takers, in units of the symbol. */
    TAKER_BUY_VOLUME
  }

  private final String symbol;
  private final long barMillis;
  private final long[] times;
  private final double[] open;
  private final double[] high;
  private final double[] low;
  private final double[] close;
  private final double[] volume;
  private final Map<Optional, double[]> optional;
  private final Map<String, double[]> extras;

  Bars(BarsBuilder builder) {
    symbol = builder.symbol;
    barMillis = builder.barMillis;
    times = builder.times();
    open = builder.column(BarsBuilder.OPEN);
    high = builder.column(BarsBuilder.HIGH);
    low = builder.column(BarsBuilder.LOW);
    close = builder.column(BarsBuilder.CLOSE);
    volume = builder.column(BarsBuilder.VOLUME);
    optional = builder.optionalColumns();
    extras = builder.extraColumns();
  }

  private Bars(Bars bars, int from, int to) {
    symbol = bars.symbol;
    barMillis = bars.barMillis;
    times = Arrays.copyOfRange(bars.times, from, to);
    open = cut(bars.open, from, to);
    high = cut(bars.high, from, to);
    low = cut(bars.low, from, to);
    close = cut(bars.close, from, to);
    volume = cut(bars.volume, from, to);
    optional = new LinkedHashMap<>();
    bars.optional.forEach((name, values) -> optional.put(name, cut(values, from, to)));
    extras = new LinkedHashMap<>();
    bars.extras.forEach((name, values) -> extras.put(name, cut(values, from, to)));
  }

  private static double[] cut(double[] values, int from, int to) {
    return Arrays.copyOfRange(values, from, to);
  }

  /** {@return the name of the symbol} */
  public String symbol() {
    return symbol;
  }

  /** {@return the duration of a bar in milliseconds} */
  public long barMillis() {
    return barMillis;
  }

  /** {@return the number of bars} */
  public int size() {
    return times.length;
  }

  /**
   * Returns the time at which a bar closed.
   *
   * @param t index of the bar, from 0
   * @return the time in milliseconds since 1970 (UTC)
   */
  public long time(int t) {
    return times[t];
  }

  /**
   * Returns the first price of a bar.
   *
   * @param t index of the bar, from 0
   * @return the price in money per unit of the symbol
   */
  public double open(int t) {
    return open[t];
  }

  /**
   * Returns the highest price of a bar.
   *
   * @param t index of the bar, from 0
   * @return the price in money per unit of the symbol
   */
  public double high(int t) {
    return high[t];
  }

  /**
   * Returns the lowest price of a bar.
   *
   * @param t index of the bar, from 0
   * @return the price in money per unit of the symbol
   */
  public double low(int t) {
    return low[t];
  }

  /**
   * Returns the last price of a bar.
   *
   * @param t index of the bar, from 0
   * @return the price in money per unit of the symbol
   */
  public double close(int t) {
    return close[t];
  }

  /**
   * Returns the amount traded in a bar, in units of the symbol.
   *
   * @param t index of the bar, from 0
   * @return the volume
   */
  public double volume(int t) {
    return volume[t];
  }

  /**
   * Returns the amount traded in a bar, in money.
   *
   * @param t index of the bar, from 0
   * @return the value of the column {@link Optional#QUOTE_VOLUME}; close times volume if the file
   *     does not have it
   */
  public double quoteVolume(int t) {
    double[] given = optional.get(Optional.QUOTE_VOLUME);
    return given == null ? close[t] * volume[t] : given[t];
  }

  /**
   * Tells whether the file had an optional column.
   *
   * @param column optional column
   * @return whether its values are known
   */
  public boolean has(Optional column) {
    return optional.containsKey(column);
  }

  /**
   * Returns a value of an optional column.
   *
   * @param column optional column
   * @param t index of the bar, from 0
   * @return the value; NaN if the file does not have the column
   */
  public double value(Optional column, int t) {
    double[] values = optional.get(column);
    return values == null ? Double.NaN : values[t];
  }

  /**
   * {@return the names of the extra columns, each starting with {@code x_}, in the order of the
   * file}
   */
  public List<String> extraNames() {
    return List.copyOf(extras.keySet());
  }

  /**
   * Returns a value of an extra column.
   *
   * @param name name of the column, one of {@link #extraNames}
   * @param t index of the bar, from 0
   * @return the value; NaN if the cell is empty
   * @throws IllegalArgumentException if there is no such column
   */
  public double extra(String name, int t) {
    double[] values = extras.get(name);
    if (values == null) {
      throw new IllegalArgumentException(
          "%s has no extra column %s; name one of %s".formatted(symbol, name, extras.keySet()));
    }
    return values[t];
  }

  /** {@return the last prices of all bars, as a new array} */
  public double[] closes() {
    return close.clone();
  }

  /**
   * Copies consecutive bars.
   *
   * @param from index of the first bar
   * @param to index after the last bar
   * @return the bars {@code from} (inclusive) to {@code to} (exclusive)
   */
  public Bars slice(int from, int to) {
    return new Bars(this, from, to);
  }

  /**
   * Computes the number of bars per year of 365.25 days from the times of the data, so that nights
   * and week-ends without bars are not counted. See {@code docs/guides/markets.md}.
   *
   * @return the average number of bars per year; for fewer than two bars, the number of bar lengths
   *     per year
   */
  public double barsPerYear() {
    double yearMillis = 365.25 * 24 * 3600 * 1000;
    if (size() < 2) {
      return yearMillis / barMillis;
    }
    return (size() - 1) * yearMillis / (times[size() - 1] - times[0]);
  }

  /**
   * Tells whether other bars are a copy of these, perhaps under another name.
   *
   * @param other bars of another file
   * @return whether times and closes are equal
   */
  public boolean hasSameCloses(Bars other) {
    return Arrays.equals(times, other.times) && Arrays.equals(close, other.close);
  }

  /** {@return the SHA-256 of all rows, which does not depend on the format of the file} */
  public String fingerprint() {
    return BarsFingerprint.of(this);
  }
}
