package io.quantail.math;

import java.util.Arrays;

/**
 * Percentiles of a sample, with linear interpolation between order statistics.
 *
 * <p>The value at fraction {@code p} is at position {@code p (n - 1)} of the sorted sample. {@code
 * PercentilesTest} pins it. Only a few percentiles of a sample are needed, so it is partitioned
 * around these instead of sorted. Not thread-safe.
 *
 * <p>See: Hoare, "Algorithm 65: find", Communications of the ACM 4(7), 1961.
 */
public final class Percentiles {
  private final double[] values; // partitioned around the ranks that were read
  private final boolean sorted;

  private Percentiles(double[] values, boolean sorted) {
    this.values = values;
    this.sorted = sorted;
  }

  /** Percentiles of a sample, which is not changed. */
  public static Percentiles of(double[] sample) {
    if (sample.length == 0) {
      throw new IllegalArgumentException("percentiles need at least one value, there are none");
    }
    double[] values = sample.clone();
    boolean sort = Arrays.stream(values).anyMatch(Double::isNaN); // NaN has no rank in comparisons
    if (sort) {
      Arrays.sort(values);
    }
    return new Percentiles(values, sort);
  }

  /** The {@code count} lowest values, in ascending order. */
  public double[] lowest(int count) {
    find(count - 1);
    double[] lowest = Arrays.copyOf(values, count);
    Arrays.sort(lowest);
    return lowest;
  }

  /** The value below which the given fraction of the sample is; fraction in [0, 1]. */
  public double at(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          "the fraction of a percentile must be in [0, 1], was " + fraction);
    }
    double position = fraction * (values.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, values.length - 1);
    double low = find(below);
    return low + (position - below) * (find(above) - low);
  }

  /**
   * Moves the value of a rank to its index, with no larger value before it and no smaller one after
   * it.
   */
  private double find(int rank) {
    int from = 0;
    int to = sorted ? 0 : values.length - 1;
    for (int tries = values.length; from < to; tries /= 2) {
      if (tries == 0) { // parts that hardly get smaller
        Arrays.sort(values, from, to + 1);
        break;
      }
      double pivot = median(values[from], values[(from + to) >>> 1], values[to]);
      int i = from;
      int j = to;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (rank <= j) {
        to = j;
      } else if (rank >= i) {
        from = i;
      } else {
        break;
      }
    }
    return values[rank];
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
