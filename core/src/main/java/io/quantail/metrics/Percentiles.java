package io.quantail.metrics;

import java.util.Arrays;

/**
 * Percentiles of a sample, with linear interpolation between order statistics.
 *
 * <p>The value at share {@code p} stands at position {@code p (n - 1)} of the sorted sample. {@code
 * PercentilesTest} pins it.
 */
public final class Percentiles {
  private final double[] sorted;

  private Percentiles(double[] sorted) {
    this.sorted = sorted;
  }

  /** Of a sample, which is left as it is. */
  public static Percentiles of(double[] sample) {
    if (sample.length == 0) {
      throw new IllegalArgumentException("percentiles need at least one value, there are none");
    }
    double[] sorted = sample.clone();
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  /** The value at a place of the sorted sample, from 0 for the lowest. */
  public double ranked(int rank) {
    return sorted[rank];
  }

  /** The value below which the given share of the sample lies; share in [0, 1]. */
  public double at(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a percentile's share must be in [0, 1], was " + share);
    }
    double position = share * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
