package io.quantail.evidence;

import io.quantail.math.Moments;
import io.quantail.math.ReturnSeriesStatistics;
import java.util.Arrays;

/**
 * Confidence interval of a Sharpe ratio: percentiles over resampled series. The block length is
 * that of the ratio's influence function. {@code PerformanceTest} tests repeatability and coverage.
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
    int[] indices = new int[returns.length];
    Arrays.setAll(indices, t -> t);
    double[] influence = new double[returns.length];
    SharpeInfluence.add(returns, indices, 1, influence);
    double length = BlockLength.of(influence).length();
    Resamples resamples = new StationaryBootstrap(length, RESAMPLES, seed);
    double[] ratios = new double[RESAMPLES];
    double[] sample = new double[returns.length];
    for (int i = 0; i < RESAMPLES; i++) {
      resamples.fill(i, indices);
      for (int t = 0; t < sample.length; t++) {
        sample[t] = returns[indices[t]];
      }
      double deviation =
          Moments.deviation(sample) * Math.sqrt(sample.length / (sample.length - 1.0));
      ratios[i] = ReturnSeriesStatistics.sharpe(Moments.mean(sample), deviation, barsPerYear);
    }
    double[] defined = Arrays.stream(ratios).filter(ratio -> !Double.isNaN(ratio)).toArray();
    return ConfidenceInterval.ofPercentiles(defined, confidence);
  }
}
