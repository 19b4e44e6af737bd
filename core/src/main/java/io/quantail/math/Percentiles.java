package io.quantail.math;

import java.util.Arrays;

/**
 * Percentiles of a sample, with linear interpolation between order statistics.
 *
 * <p>The value at share {@code p} stands at position {@code p (n - 1)} of the sorted sample. {@code
 * PercentilesTest} pins it. Few percentiles are asked of a sample, so it is not sorted but parted
 * around what is asked for. One thread at a time.
 *
 * <p>See: Hoare, "Algorithm 65: find", Communications of the ACM 4(7), 1961.
 */
public final class Percentiles {
  private final double[] values; // in order as far as was asked for
  private final boolean sorted;

  private Percentiles(double[] values, boolean sorted) {
    this.values = values;
    this.sorted = sorted;
  }

  /** Of a sample, which is left as it is. */
  public static Percentiles of(double[] sample) {
    if (sample.length == 0) {
      throw new IllegalArgumentException("percentiles need at least one value, there are none");
    }
    double[] values = sample.clone();
    boolean sort = Arrays.stream(values).anyMatch(Double::isNaN); // which no comparison can place
    if (sort) {
      Arrays.sort(values);
    }
    return new Percentiles(values, sort);
  }

  /** The so many lowest values, in ascending order. */
  public double[] lowest(int count) {
    find(count - 1);
    double[] lowest = Arrays.copyOf(values, count);
    Arrays.sort(lowest);
    return lowest;
  }

  /** The value below which the given share of the sample lies; share in [0, 1]. */
  public double at(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a percentile's share must be in [0, 1], was " + share);
    }
    double position = share * (values.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, values.length - 1);
    double low = find(below);
    return low + (position - below) * (find(above) - low);
  }

  /** Brings the value of a rank to its place, with none above before it and none below behind. */
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
