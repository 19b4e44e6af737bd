package io.quantail.app.dashboard;

import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/**
 * The points of one line, thinned to a number that a screen can show.
 *
 * @param x environment steps, or milliseconds since 1970
 * @param y values
 */
record ChartSeries(long[] x, double[] y) {
  static final ChartSeries EMPTY = new ChartSeries(new long[0], new double[0]);

  /** Points at even distances, for lines that only rise. */
  static ChartSeries even(int size, IntToLongFunction x, IntToDoubleFunction y, int most) {
    int count = Math.min(size, most);
    int[] indices = new int[count];
    for (int k = 0; k < count; k++) {
      indices[k] = count == 1 ? 0 : (int) ((long) k * (size - 1) / (count - 1));
    }
    return pick(indices, count, x, y);
  }

  /**
   * Keeps the lowest and the highest point of each range, so that no spike is lost.
   *
   * <p>Points stay in order; the first and the last are always kept. {@code ChartSeriesTest} pins
   * this.
   *
   * @param most number of points to keep, at least 4
   */
  static ChartSeries of(int size, IntToLongFunction x, IntToDoubleFunction y, int most) {
    if (size <= most) {
      return pick(all(size), size, x, y);
    }
    int ranges = most / 2 - 1; // two points each, and the first and the last point of all
    int[] kept = new int[most];
    int count = 0;
    kept[count++] = 0;
    for (int k = 0; k < ranges; k++) {
      int from = (int) (1 + (long) k * (size - 2) / ranges);
      int to = (int) (1 + (long) (k + 1) * (size - 2) / ranges);
      int lowest = from;
      int highest = from;
      for (int i = from; i < to; i++) {
        lowest = y.applyAsDouble(i) < y.applyAsDouble(lowest) ? i : lowest;
        highest = y.applyAsDouble(i) > y.applyAsDouble(highest) ? i : highest;
      }
      kept[count++] = Math.min(lowest, highest);
      if (lowest != highest) {
        kept[count++] = Math.max(lowest, highest);
      }
    }
    kept[count++] = size - 1;
    return pick(kept, count, x, y);
  }

  private static int[] all(int size) {
    int[] indices = new int[size];
    for (int i = 0; i < size; i++) {
      indices[i] = i;
    }
    return indices;
  }

  private static ChartSeries pick(
      int[] indices, int count, IntToLongFunction x, IntToDoubleFunction y) {
    long[] xs = new long[count];
    double[] ys = new double[count];
    for (int i = 0; i < count; i++) {
      xs[i] = x.applyAsLong(indices[i]);
      ys[i] = y.applyAsDouble(indices[i]);
    }
    return new ChartSeries(xs, ys);
  }
}
