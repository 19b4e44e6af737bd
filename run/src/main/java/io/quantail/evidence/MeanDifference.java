package io.quantail.evidence;

import io.quantail.math.Moments;

/**
 * Whether two series of the same bars have different means, by a paired stationary bootstrap. For
 * log-returns it is the difference of growth per bar, for the scores of two forecasts that of their
 * means. The block length is that of the difference.
 *
 * <p>Pinned by the vector {@code sharpe_difference_studentised}.
 *
 * @param difference mean of the first minus mean of the second
 * @param interval 95 % percentile interval
 * @param fractionAbove0 fraction of resamples in which the first has the larger mean
 * @param blockLength mean block length
 */
public record MeanDifference(
    double difference, ConfidenceInterval interval, double fractionAbove0, double blockLength) {

  /** Compares two series with {@value StationaryBootstrap#RESAMPLES} resamples. */
  public static MeanDifference of(double[] first, double[] second, long seed) {
    double[] differences = differences(first, second);
    double length = BlockLength.of(differences).length();
    ValueGroups groups = ValueGroups.of(differences.length);
    return of(differences, length, groups.resamples(length, StationaryBootstrap.RESAMPLES, seed));
  }

  static double[] differences(double[] first, double[] second) {
    Returns.require("the first series", first);
    Returns.require("the second series", second);
    Returns.requireSameLength("the first series", first.length, "the second", second.length);
    double[] differences = new double[first.length];
    for (int t = 0; t < first.length; t++) {
      differences[t] = first[t] - second[t];
    }
    return differences;
  }

  static MeanDifference of(double[] differences, double blockLength, Resamples resamples) {
    double[] means = new double[resamples.count()];
    ValueGroups groups = ValueGroups.of(differences.length);
    double[] sums = groups.sums(differences);
    int[] indices = new int[groups.count()];
    int above = 0;
    for (int i = 0; i < means.length; i++) {
      resamples.fill(i, indices);
      double sum = 0;
      double values = 0;
      for (int index : indices) {
        sum += sums[index];
        values += groups.size(index);
      }
      means[i] = sum / values;
      above += means[i] > 0 ? 1 : 0;
    }
    return new MeanDifference(
        Moments.mean(differences),
        ConfidenceInterval.ofPercentiles(means, ConfidenceInterval.CONFIDENCE),
        (double) above / means.length,
        blockLength);
  }
}
