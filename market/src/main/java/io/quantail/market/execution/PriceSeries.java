package io.quantail.market.execution;

import io.quantail.market.data.Bars;
import java.util.Arrays;

/**
 * The prices at which orders are filled and positions are marked, separate from the features that
 * an agent observes. Immutable.
 */
public final class PriceSeries {
  /** Name of the extra column with the dividend per unit that a bar pays. */
  public static final String DIVIDEND = "x_dividend";

  private final long[] times;
  private final double[] open;
  private final double[] close;
  private final double[] averageVolume;
  private final double[] dividends;
  private final long barMillis;

  /**
   * The prices of a symbol.
   *
   * @param volumeBars number of bars of the average quote volume
   */
  public PriceSeries(Bars bars, int volumeBars) {
    int size = bars.size();
    barMillis = bars.barMillis();
    times = new long[size];
    open = new double[size];
    close = bars.closes();
    dividends = new double[size];
    boolean pays = bars.extraNames().contains(DIVIDEND);
    for (int t = 0; t < size; t++) {
      times[t] = bars.time(t);
      open[t] = bars.open(t);
      double dividend = pays ? bars.extra(DIVIDEND, t) : 0;
      dividends[t] = Double.isFinite(dividend) ? dividend : 0;
    }
    averageVolume = averages(bars, volumeBars);
  }

  /** Averages of the window that ends with each bar; of shorter windows at the beginning. */
  private static double[] averages(Bars bars, int window) {
    double[] averages = new double[bars.size()];
    Arrays.setAll(
        averages,
        t -> {
          int from = Math.max(0, t - window + 1);
          double sum = 0;
          for (int i = from; i <= t; i++) {
            sum += bars.quoteVolume(i);
          }
          return sum / (t - from + 1);
        });
    return averages;
  }

  /** The number of bars. */
  public int size() {
    return close.length;
  }

  /** The time at which bar {@code t} closed, in milliseconds since 1970 (UTC). */
  public long time(int t) {
    return times[t];
  }

  /** The time at which bar {@code t} opened, in milliseconds since 1970 (UTC). */
  public long openTime(int t) {
    return times[t] - barMillis;
  }

  /** The first price of bar {@code t}. */
  public double open(int t) {
    return open[t];
  }

  /** The last price of bar {@code t}. */
  public double close(int t) {
    return close[t];
  }

  /** The mean quote volume of the window that ends with bar {@code t}. */
  public double averageVolume(int t) {
    return averageVolume[t];
  }

  /** The dividend that bar {@code t} pays per unit held at the previous close. */
  public double dividend(int t) {
    return dividends[t];
  }
}
