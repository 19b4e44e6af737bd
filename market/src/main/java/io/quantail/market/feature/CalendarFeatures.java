package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** Time of the close within the day and the week (UTC, from Monday), as points on a circle. */
final class CalendarFeatures {
  private static final long DAY = 24L * 3600 * 1000;
  private static final long WEEK = 7 * DAY;
  // 1970-01-05 was a Monday.
  private static final long FIRST_MONDAY = 4 * DAY;

  private CalendarFeatures() {}

  static double[] day(Bars bars, DoubleUnaryOperator wave) {
    return of(bars, DAY, 0, wave);
  }

  static double[] week(Bars bars, DoubleUnaryOperator wave) {
    return of(bars, WEEK, FIRST_MONDAY, wave);
  }

  private static double[] of(Bars bars, long period, long origin, DoubleUnaryOperator wave) {
    double[] values = new double[bars.size()];
    Arrays.setAll(
        values,
        t -> {
          double share = (double) Math.floorMod(bars.time(t) - origin, period) / period;
          return wave.applyAsDouble(2 * Math.PI * share);
        });
    return values;
  }
}
