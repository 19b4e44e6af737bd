package io.quantail.evidence;

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
    ValueGroups groups = ValueGroups.of(returns.length);
    Resamples resamples = groups.resamples(length, RESAMPLES, seed);
    SharpeSums sums = new SharpeSums(returns, groups);
    double[] ratios = new double[RESAMPLES];
    int[] drawn = new int[groups.count()];
    for (int i = 0; i < RESAMPLES; i++) {
      resamples.fill(i, drawn);
      boolean varies = sums.read(drawn);
      double deviation = sums.deviation() * Math.sqrt(sums.values() / (sums.values() - 1));
      ratios[i] =
          varies ? ReturnSeriesStatistics.sharpe(sums.mean(), deviation, barsPerYear) : Double.NaN;
    }
    double[] defined = Arrays.stream(ratios).filter(ratio -> !Double.isNaN(ratio)).toArray();
    return ConfidenceInterval.ofPercentiles(defined, confidence);
  }
}
