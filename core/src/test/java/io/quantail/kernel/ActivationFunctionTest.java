package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against the definitions in double precision and their finite differences. */
class ActivationFunctionTest {
  private static final double STEP = 1e-5;
  private static final int SIMPSON_CELLS = 200;

  /** 400 numbers run on vector instructions, 401 do not. */
  @ParameterizedTest
  @EnumSource
  void shouldAgreeWithItsDefinitionAndDerivative(ActivationFunction nonlinearity) {
    for (int size : new int[] {400, 401}) {
      float[] x = new float[size];
      for (int i = 0; i < size; i++) {
        x[i] = (i - 200) / 20f + 0.013f; // not 0, where some have a corner
      }
      float[] y = new float[size];
      float[] slope = x.clone();
      nonlinearity.applyWithSlope(y, slope);
      for (int i = 0; i < size; i++) {
        assertClose(y[i], value(nonlinearity, x[i]));
        double above = value(nonlinearity, x[i] + STEP);
        double below = value(nonlinearity, x[i] - STEP);
        assertClose(slope[i], (above - below) / (2 * STEP));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RELU", "LEAKY_RELU", "ELU"})
  void shouldBeZeroAtItsCorner(ActivationFunction nonlinearity) {
    float[] y = {7};
    nonlinearity.applyWithSlope(y, new float[] {0});
    assertThat(y).containsExactly(0);
  }

  private static void assertClose(double actual, double expected) {
    assertThat(actual).isCloseTo(expected, within(2e-6 * (1 + Math.abs(expected))));
  }

  static double value(ActivationFunction nonlinearity, double x) {
    return switch (nonlinearity) {
      case SILU -> x / (1 + Math.exp(-x));
      case RELU -> x > 0 ? x : 0;
      case TANH -> Math.tanh(x);
      case LEAKY_RELU -> x > 0 ? x : 0.01 * x;
      case ELU -> x > 0 ? x : Math.exp(x) - 1;
      case GELU -> x * (0.5 + integral(x));
    };
  }

  /** The density of the standard normal from 0 to x, by Simpson's rule. */
  private static double integral(double x) {
    double width = x / SIMPSON_CELLS;
    double sum = 0;
    for (int i = 0; i <= SIMPSON_CELLS; i++) {
      double at = i * width;
      double weight = i == 0 || i == SIMPSON_CELLS ? 1 : i % 2 == 0 ? 2 : 4;
      sum += weight * Math.exp(-at * at / 2);
    }
    return sum * width / 3 / Math.sqrt(2 * Math.PI);
  }
}
