package io.quantail.market.data;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bars of one symbol in order of time, in flat arrays; immutable.
 *
 * <p>The time of a bar is that of its <em>close</em>: whatever is read from bar {@code t} was known
 * at {@code time(t)} and not before. Optional columns are NaN throughout where a file does not have
 * them; {@link #has} tells.
 */
public final class Bars {

  /** Columns that a file of bars may leave out. */
  public enum Optional {
    QUOTE_VOLUME,
    TRADES,
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

  public String symbol() {
    return symbol;
  }

  /** How much time one bar covers. */
  public long barMillis() {
    return barMillis;
  }

  public int size() {
    return times.length;
  }

  /** When bar {@code t} closed, in milliseconds since 1970 (UTC). */
  public long time(int t) {
    return times[t];
  }

  public double open(int t) {
    return open[t];
  }

  public double high(int t) {
    return high[t];
  }

  public double low(int t) {
    return low[t];
  }

  public double close(int t) {
    return close[t];
  }

  /** Traded amount in units of the symbol. */
  public double volume(int t) {
    return volume[t];
  }

  /** Traded amount in money; close times volume where the file does not say. */
  public double quoteVolume(int t) {
    double[] given = optional.get(Optional.QUOTE_VOLUME);
    return given == null ? close[t] * volume[t] : given[t];
  }

  public boolean has(Optional column) {
    return optional.containsKey(column);
  }

  /** A value of an optional column, NaN if there is none. */
  public double value(Optional column, int t) {
    double[] values = optional.get(column);
    return values == null ? Double.NaN : values[t];
  }

  /** Names of the extra columns, each starting with {@code x_}, in the order of the file. */
  public List<String> extraNames() {
    return List.copyOf(extras.keySet());
  }

  /** A value of an extra column, NaN where the file has none. */
  public double extra(String name, int t) {
    double[] values = extras.get(name);
    if (values == null) {
      throw new IllegalArgumentException(
          "%s has no extra column %s; it has %s".formatted(symbol, name, extras.keySet()));
    }
    return values[t];
  }

  /** The closes, as a new array. */
  public double[] closes() {
    return close.clone();
  }

  /** The bars {@code from} (inclusive) to {@code to} (exclusive). */
  public Bars slice(int from, int to) {
    return new Bars(this, from, to);
  }

  /**
   * Bars per year of 365.25 days as the data has them: sessions and week-ends without bars are not
   * counted. See {@code docs/trading.md}.
   */
  public double barsPerYear() {
    double yearMillis = 365.25 * 24 * 3600 * 1000;
    if (size() < 2) {
      return yearMillis / barMillis;
    }
    return (size() - 1) * yearMillis / (times[size() - 1] - times[0]);
  }

  /** SHA-256 of all rows; the same whatever kind of file they came from. */
  public String fingerprint() {
    return BarsFingerprint.of(this);
  }
}
