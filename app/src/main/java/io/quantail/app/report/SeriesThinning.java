package io.quantail.app.report;

import java.util.function.DoubleBinaryOperator;

/**
 * Shortens long series for a page: each stretch of equal length becomes one point, at its last bar.
 *
 * @param size number of bars of the series
 * @param stretch number of bars per point
 */
record SeriesThinning(int size, int stretch) {
  private static final int MOST = 2_000;

  static SeriesThinning of(int size) {
    return new SeriesThinning(size, (size + MOST - 1) / MOST);
  }

  int points() {
    return (size + stretch - 1) / stretch;
  }

  /** The last value of each stretch. */
  double[] last(double[] values) {
    return reduce(values, (before, value) -> value);
  }

  /** The lowest value of each stretch, so that no drawdown is lost. */
  double[] lowest(double[] values) {
    return reduce(values, Math::min);
  }

  double[] times(long[] times) {
    double[] thin = new double[points()];
    for (int i = 0; i < thin.length; i++) {
      thin[i] = times[Math.min(size, (i + 1) * stretch) - 1];
    }
    return thin;
  }

  /** A note for captions; empty when every bar is shown. */
  String note() {
    return stretch == 1 ? "" : " One point stands for %,d bars.".formatted(stretch);
  }

  private double[] reduce(double[] values, DoubleBinaryOperator operator) {
    double[] thin = new double[points()];
    for (int i = 0; i < thin.length; i++) {
      double value = values[i * stretch];
      for (int k = i * stretch + 1; k < Math.min(size, (i + 1) * stretch); k++) {
        value = operator.applyAsDouble(value, values[k]);
      }
      thin[i] = value;
    }
    return thin;
  }
}
