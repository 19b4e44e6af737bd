package io.quantail.evidence;

import io.quantail.math.Moments;

/**
 * Sums of returns and of their squares over the units of a series, from which the Sharpe ratio of a
 * resample and the influence of its units follow. Both are taken of distances from the mean of the
 * whole series, so that little is lost when squares are subtracted.
 */
final class SharpeSums {
  /** A variance below this fraction of the mean square is rounding. */
  private static final double ROUNDING = 1e-12;

  private final ValueGroups groups;
  private final double centre;
  private final double[] sums;
  private final double[] squares;
  private double values;
  private double mean; // of the resample, as a distance from the centre
  private double deviation;

  SharpeSums(double[] returns, ValueGroups groups) {
    this.groups = groups;
    centre = Moments.mean(returns);
    double[] distances = new double[returns.length];
    double[] squared = new double[returns.length];
    for (int t = 0; t < returns.length; t++) {
      distances[t] = returns[t] - centre;
      squared[t] = distances[t] * distances[t];
    }
    sums = groups.sums(distances);
    squares = groups.sums(squared);
  }

  /** Reads a resample; false if it has no variation. */
  boolean read(int[] indices) {
    double sum = 0;
    double square = 0;
    values = 0;
    for (int index : indices) {
      sum += sums[index];
      square += squares[index];
      values += groups.size(index);
    }
    mean = sum / values;
    double variance = square / values - mean * mean;
    deviation = Math.sqrt(variance);
    return variance > ROUNDING * (square / values)
        && deviation > ROUNDING * Math.abs(centre + mean);
  }

  /** Mean of the resample that was read. */
  double mean() {
    return centre + mean;
  }

  /** Standard deviation of the resample that was read. */
  double deviation() {
    return deviation;
  }

  /** Number of values of the resample that was read. */
  double values() {
    return values;
  }

  /**
   * Adds the summed influence of each unit of the resample that was read; see {@link
   * SharpeInfluence}.
   *
   * @param sign factor of the influence
   */
  void addInfluence(int[] indices, double sign, double[] influence) {
    double ratio = mean() / deviation;
    for (int i = 0; i < indices.length; i++) {
      int size = groups.size(indices[i]);
      double sum = sums[indices[i]];
      double z = (sum - size * mean) / deviation;
      double zz =
          (squares[indices[i]] - 2 * mean * sum + size * mean * mean) / (deviation * deviation);
      influence[i] += sign * (z - ratio / 2 * (zz - size));
    }
  }
}
