package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Kernels beside plain loops in double precision. */
final class Reference {
  private static final double STEP = 1e-5;

  private Reference() {}

  static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    Arrays.setAll(doubles, i -> values[i]);
    return doubles;
  }

  static double[][] doubles(float[][] rows) {
    return Arrays.stream(rows).map(Reference::doubles).toArray(double[][]::new);
  }

  /** {@code W x + b}, with W [output, input] at one place of the numbers and b at another. */
  static double[] affine(double[] numbers, int weight, int bias, int outputs, double[] x) {
    double[] y = new double[outputs];
    for (int output = 0; output < outputs; output++) {
      y[output] = bias < 0 ? 0 : numbers[bias + output];
      for (int i = 0; i < x.length; i++) {
        y[output] += numbers[weight + output * x.length + i] * x[i];
      }
    }
    return y;
  }

  static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  /** A sum in which each output has a weight of its own. */
  static double weighed(double[][] outputs, float[][] weights) {
    double sum = 0;
    for (int row = 0; row < outputs.length; row++) {
      for (int i = 0; i < outputs[row].length; i++) {
        sum += outputs[row][i] * weights[row][i];
      }
    }
    return sum;
  }

  /** The derivative of a loop by one number that it reads, by differences in double. */
  static double slope(DoubleSupplier loop, double[] at, int index) {
    double before = at[index];
    at[index] = before + STEP;
    double above = loop.getAsDouble();
    at[index] = before - STEP;
    double below = loop.getAsDouble();
    at[index] = before;
    return (above - below) / (2 * STEP);
  }

  static void assertClose(float[] actual, double[] expected) {
    assertThat(actual).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertClose(actual[i], expected[i]);
    }
  }

  static void assertClose(float[][] actual, double[][] expected) {
    assertThat(actual.length).isEqualTo(expected.length);
    for (int row = 0; row < expected.length; row++) {
      assertClose(actual[row], expected[row]);
    }
  }

  static void assertClose(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(1e-5 * (1 + Math.abs(expected))));
  }

  static float[][] copy(float[][] rows) {
    return Arrays.stream(rows).map(float[]::clone).toArray(float[][]::new);
  }
}
