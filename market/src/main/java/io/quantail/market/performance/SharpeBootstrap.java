package io.quantail.market.performance;

import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * Confidence interval of a Sharpe ratio: percentiles over resampled series. Blocks of random length
 * preserve the dependence between neighbouring returns.
 *
 * <p>See: Politis, Romano, "The Stationary Bootstrap", 1994. The mean block length is n^(1/3).
 * {@code PerformanceTest} tests repeatability and coverage.
 */
public final class SharpeBootstrap {
  private static final int RESAMPLES = 1000;

  private SharpeBootstrap() {}

  /**
   * The interval of a series of returns; NaN bounds if the Sharpe ratio is undefined.
   *
   * @param confidence such as 0.95
   */
  public static ConfidenceInterval interval(
      double[] returns, double barsPerYear, double confidence, long seed) {
    if (Double.isNaN(ReturnSeriesStatistics.sharpe(returns, barsPerYear))) {
      return new ConfidenceInterval(Double.NaN, Double.NaN);
    }
    RandomStream random = RandomStream.of(seed, "bootstrap", 0);
    double newBlock = 1 / Math.max(1, Math.cbrt(returns.length));
    double[] ratios = new double[RESAMPLES];
    double[] sample = new double[returns.length];
    for (int i = 0; i < RESAMPLES; i++) {
      resample(returns, sample, newBlock, random);
      ratios[i] = ReturnSeriesStatistics.sharpe(sample, barsPerYear);
    }
    double[] defined = Arrays.stream(ratios).filter(ratio -> !Double.isNaN(ratio)).toArray();
    double tail = (1 - confidence) / 2;
    return new ConfidenceInterval(
        ReturnSeriesStatistics.quantile(defined, tail),
        ReturnSeriesStatistics.quantile(defined, 1 - tail));
  }

  private static void resample(
      double[] returns, double[] sample, double newBlock, RandomStream random) {
    int place = random.nextInt(returns.length);
    for (int i = 0; i < sample.length; i++) {
      sample[i] = returns[place];
      boolean jump = random.nextDouble() < newBlock;
      place = jump ? random.nextInt(returns.length) : (place + 1) % returns.length;
    }
  }
}
