package io.quantail.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoubleSupplier;

/** Gradients compared with differences of the function's own values. */
public final class FiniteDifferences {
  private FiniteDifferences() {}

  /** The derivative of a function by one number of an array that it reads. */
  public static double slope(DoubleSupplier function, float[] at, int index, double step) {
    float before = at[index];
    float above = (float) (before + step);
    float below = (float) (before - step);
    at[index] = above;
    double high = function.getAsDouble();
    at[index] = below;
    double low = function.getAsDouble();
    at[index] = before;
    return (high - low) / ((double) above - below);
  }

  /**
   * Requires that a gradient is that of a function, by each of some numbers.
   *
   * @param at what the function reads
   * @param from the first of the numbers
   * @param count how many of them
   * @param gradient derivative by each number, at the same place
   * @param tolerance relative to one plus the size of a derivative
   */
  public static void require(
      DoubleSupplier function,
      float[] at,
      int from,
      int count,
      float[] gradient,
      double step,
      double tolerance) {
    for (int i = from; i < from + count; i++) {
      double slope = slope(function, at, i, step);
      assertThat((double) gradient[i])
          .as("derivative by number %d", i - from)
          .isCloseTo(slope, within(tolerance * (1 + Math.abs(slope))));
    }
  }
}
