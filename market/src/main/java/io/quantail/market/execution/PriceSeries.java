package io.quantail.market.execution;

import io.quantail.market.data.Bars;
import java.util.Arrays;

/**
 * The prices that orders are filled and positions are marked at, apart from what an agent sees;
 * immutable.
 */
public final class PriceSeries {
  /** Extra column with the dividend per unit of a bar. */
  public static final String DIVIDEND = "x_dividend";

  private final long[] times;
  private final double[] open;
  private final double[] close;
  private final double[] averageVolume;
  private final double[] dividends;
  private final long barMillis;

  /**
   * @param volumeBars how many bars the average quote volume is over
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

  /** Of the last bars up to and with each one; of fewer at the beginning. */
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

  public int size() {
    return close.length;
  }

  /** When bar {@code t} closed. */
  public long time(int t) {
    return times[t];
  }

  /** When bar {@code t} opened. */
  public long openTime(int t) {
    return times[t] - barMillis;
  }

  public double open(int t) {
    return open[t];
  }

  public double close(int t) {
    return close[t];
  }

  /** Mean quote volume of the last bars up to {@code t}. */
  public double averageVolume(int t) {
    return averageVolume[t];
  }

  /** Paid on bar {@code t} to whoever held a unit at the close before. */
  public double dividend(int t) {
    return dividends[t];
  }
}
