package io.quantail.math;

import java.util.Arrays;

/**
 * Statistics of series of returns per bar, or of rewards per step. Undefined values are NaN. Tested
 * with golden values by {@code PerformanceTest} and by the vector {@code rollout_trading_metrics}.
 */
public final class ReturnSeriesStatistics {
  private ReturnSeriesStatistics() {}

  /** Sharpe ratio mean / std · √N with ddof 1; NaN for constant or fewer than two returns. */
  public static double sharpe(double[] returns, double barsPerYear) {
    return sharpe(mean(returns), deviation(returns), barsPerYear);
  }

  /** Sharpe ratio of returns with a known mean and standard deviation (ddof 1). */
  public static double sharpe(double mean, double deviation, double barsPerYear) {
    // Constant returns can have a tiny deviation by rounding.
    if (!(deviation > 1e-12 * Math.max(1e-12, Math.abs(mean)))) {
      return Double.NaN;
    }
    return mean / deviation * Math.sqrt(barsPerYear);
  }

  /** Sortino ratio mean / √(mean of min(r, 0)² over all returns) · √N; NaN without losses. */
  public static double sortino(double[] returns, double barsPerYear) {
    double squares = 0;
    for (double value : returns) {
      squares += value < 0 ? value * value : 0;
    }
    return squares == 0
        ? Double.NaN
        : mean(returns) / Math.sqrt(squares / returns.length) * Math.sqrt(barsPerYear);
  }

  /** Number of returns below 0. */
  public static int losses(double[] returns) {
    return (int) Arrays.stream(returns).filter(value -> value < 0).count();
  }

  /** Arithmetic mean; NaN without values. */
  public static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** Standard deviation with ddof 1; NaN for fewer than two values. */
  public static double deviation(double[] values) {
    if (values.length < 2) {
      return Double.NaN;
    }
    double mean = mean(values);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    return Math.sqrt(squares / (values.length - 1));
  }

  /** Sum of gains over sum of losses; infinite without losses, NaN without both. */
  public static double profitFactor(double[] returns) {
    double gains = Arrays.stream(returns).filter(value -> value > 0).sum();
    double losses = -Arrays.stream(returns).filter(value -> value < 0).sum();
    return gains == 0 && losses == 0 ? Double.NaN : gains / losses;
  }

  /** Quantile, interpolated linearly. */
  public static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /**
   * Largest drawdown of an equity curve.
   *
   * @param depth largest drawdown from a peak, as a positive fraction
   * @param bars largest number of consecutive bars below a peak
   */
  public record Drawdown(double depth, int bars) {}

  /** Drawdown of an equity curve; the initial equity is its first peak. */
  public static Drawdown drawdown(double initialEquity, double[] equity) {
    double peak = initialEquity;
    double depth = 0;
    int under = 0;
    int longest = 0;
    for (double value : equity) {
      under = value < peak ? under + 1 : 0;
      longest = Math.max(longest, under);
      peak = Math.max(peak, value);
      depth = Math.max(depth, 1 - value / peak);
    }
    return new Drawdown(depth, longest);
  }

  /**
   * Largest drawdown of the account that a series of log-returns makes, as a positive fraction:
   * {@code 1 - exp(-f)}, with f the largest fall of the cumulated log-return from its peak. The
   * logarithm neither overflows nor underflows, whatever the rewards are.
   */
  public static double drawdownOfLogReturns(double[] logReturns) {
    double sum = 0;
    double peak = 0;
    double fall = 0;
    for (double value : logReturns) {
      sum += value;
      peak = Math.max(peak, sum);
      fall = Math.max(fall, peak - sum);
    }
    return -Math.expm1(-fall);
  }
}
