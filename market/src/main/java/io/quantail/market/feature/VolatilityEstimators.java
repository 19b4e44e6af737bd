package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import java.util.Arrays;

/**
 * Estimators of volatility per bar. Tested with golden values by {@code VolatilityEstimatorsTest}.
 */
public final class VolatilityEstimators {
  /** Number of squared returns whose median initialises the exponential average. */
  static final int EWMA_SEED = 5;

  /** The first bar with an EWMA volatility. */
  public static final int FIRST_EWMA_BAR = EWMA_SEED;

  private static final double DECAY = 0.94;
  private static final double YANG_ZHANG_WEIGHT = 0.34;

  private VolatilityEstimators() {}

  /**
   * Exponentially weighted volatility √v with v ← 0.94 v + 0.06 r², initialised with the median of
   * the first squared returns, which is robust to a single outlier.
   *
   * <p>See: J.P. Morgan, "RiskMetrics Technical Document", 1996.
   */
  public static double[] ewma(Bars bars) {
    double[] values = undefined(bars.size());
    if (bars.size() <= EWMA_SEED) {
      return values;
    }
    double[] seed = new double[EWMA_SEED];
    Arrays.setAll(seed, i -> square(logReturn(bars, i + 1)));
    Arrays.sort(seed);
    double variance = seed[EWMA_SEED / 2];
    for (int t = 1; t < bars.size(); t++) {
      variance = DECAY * variance + (1 - DECAY) * square(logReturn(bars, t));
      if (t >= FIRST_EWMA_BAR) {
        values[t] = Math.sqrt(variance);
      }
    }
    return values;
  }

  /**
   * Parkinson's volatility √(Σ ln(H/L)² / (4 n ln 2)).
   *
   * <p>See: Parkinson, "The Extreme Value Method for Estimating the Variance of the Rate of
   * Return", 1980.
   */
  static double[] parkinson(Bars bars, int window) {
    double[] values = undefined(bars.size());
    for (int t = window - 1; t < bars.size(); t++) {
      double sum = 0;
      for (int i = t - window + 1; i <= t; i++) {
        sum += square(Math.log(bars.high(i) / bars.low(i)));
      }
      values[t] = Math.sqrt(sum / (4 * window * Math.log(2)));
    }
    return values;
  }

  /**
   * Yang and Zhang's volatility √(σ²_open + 0.34 σ²_close + 0.66 σ²_rs): variance of the
   * log-returns from close to open, of those from open to close, and the estimator of Rogers and
   * Satchell.
   *
   * <p>See: Yang, Zhang, "Drift-Independent Volatility Estimation Based on High, Low, Open, and
   * Close Prices", 2000; the weight is fixed instead of depending on the window.
   */
  static double[] yangZhang(Bars bars, int window) {
    double[] values = undefined(bars.size());
    double[] jumps = new double[Math.max(0, window - 1)];
    double[] moves = new double[window];
    for (int t = window - 1; window >= 3 && t < bars.size(); t++) {
      int from = t - window + 1;
      double rogersSatchell = 0;
      for (int i = 0; i < window; i++) {
        int bar = from + i;
        if (i > 0) {
          jumps[i - 1] = Math.log(bars.open(bar) / bars.close(bar - 1));
        }
        moves[i] = Math.log(bars.close(bar) / bars.open(bar));
        rogersSatchell += rogersSatchell(bars, bar);
      }
      values[t] =
          Math.sqrt(
              variance(jumps)
                  + YANG_ZHANG_WEIGHT * variance(moves)
                  + (1 - YANG_ZHANG_WEIGHT) * rogersSatchell / window);
    }
    return values;
  }

  /** Root mean square of the log-returns of a window that ends at {@code t}. */
  static double rootMeanSquare(Bars bars, int t, int window) {
    double sum = 0;
    for (int i = t - window + 1; i <= t; i++) {
      sum += square(logReturn(bars, i));
    }
    return Math.sqrt(sum / window);
  }

  static double logReturn(Bars bars, int t) {
    return Math.log(bars.close(t) / bars.close(t - 1));
  }

  static double[] undefined(int size) {
    double[] values = new double[size];
    Arrays.fill(values, Double.NaN);
    return values;
  }

  private static double rogersSatchell(Bars bars, int t) {
    double high = bars.high(t);
    double low = bars.low(t);
    return Math.log(high / bars.close(t)) * Math.log(high / bars.open(t))
        + Math.log(low / bars.close(t)) * Math.log(low / bars.open(t));
  }

  /** Sample variance (ddof 1). */
  private static double variance(double[] values) {
    double mean = 0;
    for (double value : values) {
      mean += value / values.length;
    }
    double sum = 0;
    for (double value : values) {
      sum += square(value - mean);
    }
    return sum / (values.length - 1);
  }

  private static double square(double value) {
    return value * value;
  }
}
