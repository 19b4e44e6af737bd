package io.quantail.evidence;

import java.util.Arrays;

/**
 * The units of which a resample of a series is made: its values, or, of a series of more than
 * {@value #MOST_SINGLE} values, {@value #GROUPS} groups of neighbours.
 *
 * <p>A resample then takes as many steps as there are groups, at any length of the series. All that
 * a bootstrap needs of a group are sums over it, so statistics of a resample are still those of its
 * values. Groups keep the dependence inside of them; that between groups is kept by blocks of
 * groups with the same mean length in values. See: Politis, Romano, Wolf, "Subsampling", 1999,
 * chapter 3, on blocks that do not overlap. {@code ValueGroupsTest} compares intervals of groups
 * with those of single values.
 */
final class ValueGroups {
  static final int MOST_SINGLE = 40_000;
  static final int GROUPS = 5_000;

  private final int[] starts; // of each group, and the end of the last

  private ValueGroups(int[] starts) {
    this.starts = starts;
  }

  /** The units of a series with a number of values. */
  static ValueGroups of(int values) {
    return of(values, values <= MOST_SINGLE ? values : GROUPS);
  }

  static ValueGroups of(int values, int groups) {
    int[] starts = new int[groups + 1];
    Arrays.setAll(starts, group -> (int) ((long) values * group / groups));
    return new ValueGroups(starts);
  }

  /** The number of units. */
  int count() {
    return starts.length - 1;
  }

  /** The number of values of a unit. */
  int size(int group) {
    return starts[group + 1] - starts[group];
  }

  /** The mean number of values of a unit. */
  double meanSize() {
    return (double) starts[starts.length - 1] / count();
  }

  /** The unit of each value. */
  int[] ofValues() {
    int[] groups = new int[starts[starts.length - 1]];
    for (int group = 0; group < count(); group++) {
      Arrays.fill(groups, starts[group], starts[group + 1], group);
    }
    return groups;
  }

  /** The sum of each unit. */
  double[] sums(double[] values) {
    double[] sums = new double[count()];
    for (int group = 0; group < sums.length; group++) {
      for (int t = starts[group]; t < starts[group + 1]; t++) {
        sums[group] += values[t];
      }
    }
    return sums;
  }

  /** The resamples of a stationary bootstrap of the units. */
  Resamples resamples(double blockLength, int count, long seed) {
    return new StationaryBootstrap(Math.max(1, blockLength / meanSize()), count, seed);
  }

  /** The bandwidth of a long-run error, in units. */
  int bandwidth(double blockLength) {
    return (int) Math.ceil(blockLength / meanSize());
  }

  /** The standard error of the mean of the values, given the sum of each unit. */
  double error(double[] sums, int bandwidth) {
    return LongRunError.of(sums, bandwidth) / meanSize();
  }
}
