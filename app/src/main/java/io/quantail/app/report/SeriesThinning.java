package io.quantail.app.report;

import java.util.function.DoubleBinaryOperator;

/**
 * Shortens long series for a page: each range of bars becomes one point, at its last bar.
 *
 * @param size number of bars of the series
 * @param barsPerPoint number of bars per point
 */
record SeriesThinning(int size, int barsPerPoint) {
  private static final int MOST = 2_000;

  static SeriesThinning of(int size) {
    return new SeriesThinning(size, (size + MOST - 1) / MOST);
  }

  int points() {
    return (size + barsPerPoint - 1) / barsPerPoint;
  }

  /** The last value of each range. */
  double[] last(double[] values) {
    return reduce(values, (before, value) -> value);
  }

  /** The lowest value of each range, so that no drawdown is lost. */
  double[] lowest(double[] values) {
    return reduce(values, Math::min);
  }

  double[] times(long[] times) {
    double[] thin = new double[points()];
    for (int i = 0; i < thin.length; i++) {
      thin[i] = times[Math.min(size, (i + 1) * barsPerPoint) - 1];
    }
    return thin;
  }

  /** A note for captions; empty when every bar is shown. */
  String note() {
    return barsPerPoint == 1 ? "" : " One point stands for %,d bars.".formatted(barsPerPoint);
  }

  private double[] reduce(double[] values, DoubleBinaryOperator operator) {
    double[] thin = new double[points()];
    for (int i = 0; i < thin.length; i++) {
      double value = values[i * barsPerPoint];
      for (int k = i * barsPerPoint + 1; k < Math.min(size, (i + 1) * barsPerPoint); k++) {
        value = operator.applyAsDouble(value, values[k]);
      }
      thin[i] = value;
    }
    return thin;
  }
}
