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

  /** The name of the symbol. */
  public String symbol() {
    return symbol;
  }

  /** The duration of a bar in milliseconds. */
  public long barMillis() {
    return barMillis;
  }

  /** The number of bars. */
  public int size() {
    return times.length;
  }

  /** The time at which bar {@code t} closed, in milliseconds since 1970 (UTC). */
  public long time(int t) {
    return times[t];
  }

  /** The first price of bar {@code t}. */
  public double open(int t) {
    return open[t];
  }

  /** The highest price of bar {@code t}. */
  public double high(int t) {
    return high[t];
  }

  /** The lowest price of bar {@code t}. */
  public double low(int t) {
    return low[t];
  }

  /** The last price of bar {@code t}. */
  public double close(int t) {
    return close[t];
  }

  /** The amount traded in bar {@code t}, in units of the symbol. */
  public double volume(int t) {
    return volume[t];
  }

  /**
   * The amount traded in bar {@code t}, in money; close times volume if the file does not have it.
   */
  public double quoteVolume(int t) {
    double[] given = optional.get(Optional.QUOTE_VOLUME);
    return given == null ? close[t] * volume[t] : given[t];
  }

  /** Whether the file had an optional column. */
  public boolean has(Optional column) {
    return optional.containsKey(column);
  }

  /** A value of an optional column; NaN if the file does not have the column. */
  public double value(Optional column, int t) {
    double[] values = optional.get(column);
    return values == null ? Double.NaN : values[t];
  }

  /** The names of the extra columns, each starting with {@code x_}, in the order of the file. */
  public List<String> extraNames() {
    return List.copyOf(extras.keySet());
  }

  /** A value of an extra column; NaN if the cell is empty. */
  public double extra(String name, int t) {
    double[] values = extras.get(name);
    if (values == null) {
      throw new IllegalArgumentException(
          "%s has no extra column %s; name one of %s".formatted(symbol, name, extras.keySet()));
    }
    return values[t];
  }

  /** The last prices of all bars, as a new array. */
  public double[] closes() {
    return close.clone();
  }

  /** The bars {@code from} (inclusive) to {@code to} (exclusive). */
  public Bars slice(int from, int to) {
    return new Bars(this, from, to);
  }

  /**
   * The number of bars per year of 365.25 days, from the times of the data, so that nights and
   * week-ends without bars are not counted. See {@code docs/trading.md}.
   */
  public double barsPerYear() {
    double yearMillis = 365.25 * 24 * 3600 * 1000;
    if (size() < 2) {
      return yearMillis / barMillis;
    }
    return (size() - 1) * yearMillis / (times[size() - 1] - times[0]);
  }

  /** The SHA-256 of all rows; it does not depend on the format of the file. */
  public String fingerprint() {
    return BarsFingerprint.of(this);
  }
}
