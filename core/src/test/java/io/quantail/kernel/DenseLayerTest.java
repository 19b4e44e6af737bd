package io.quantail.kernel;

import static io.quantail.kernel.Reference.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One layer against plain loops in double precision. */
class DenseLayerTest {
  private static final int ROWS = 6;

  @ParameterizedTest
  @CsvSource({"3, 5, SILU", "8, 16, SILU", "24, 8, TANH", "17, 9, GELU"})
  void shouldAgreeWithPlainLoopsForwardAndBackward(
      int inputs, int width, ActivationFunction nonlinearity) {
    Case example = new Case(inputs, width, nonlinearity);
    FeedForward.Trace trace = example.layer.forward(new Workspace(), example.x, ROWS);
    float[][] dx = trace.backward(new Workspace(), Reference.copy(example.weights), true);

    double[] parameters = Reference.doubles(example.parameters);
    double[][] x = Reference.doubles(example.x);
    assertClose(trace.y(), example.loop(parameters, x, nonlinearity));
    for (int i = 0; i < parameters.length; i++) {
      double slope =
          Reference.slope(() -> example.loss(parameters, x, nonlinearity), parameters, i);
      assertClose(example.gradient[i], slope);
    }
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < inputs; i++) {
        double slope = Reference.slope(() -> example.loss(parameters, x, nonlinearity), x[row], i);
        assertClose(dx[row][i], slope);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 5", "8, 16"})
  void shouldGiveTheInputGradientAloneWithoutTouchingThatOfTheWeights(int inputs, int width) {
    Case example = new Case(inputs, width, ActivationFunction.SILU);
    FeedForward.Trace trace = example.layer.forward(new Workspace(), example.x, ROWS);
    float[][] alone = trace.inputGradient(new Workspace(), Reference.copy(example.weights));
    assertThat(example.gradient).containsOnly(0);
    assertThat(alone)
        .isDeepEqualTo(trace.backward(new Workspace(), Reference.copy(example.weights), true));
  }

  /** Weights and bias in one flat vector. */
  private static final class Case {
    final int width;
    final int bias;
    final float[] parameters;
    final float[] gradient;
    final float[][] x;
    final float[][] weights;
    final DenseLayer layer;

    Case(int inputs, int width, ActivationFunction nonlinearity) {
      RandomStream random = RandomStream.of(13, "single", 0);
      this.width = width;
      bias = width * inputs;
      parameters = Samples.vector(random, bias + width, 0.4);
      gradient = new float[parameters.length];
      x = Samples.matrix(random, ROWS, inputs);
      weights = Samples.matrix(random, ROWS, width);
      layer =
          new DenseLayer(
              Samples.affine(Samples.weights(inputs, width, 0), parameters, gradient),
              nonlinearity);
    }

    double loss(double[] numbers, double[][] inputs, ActivationFunction nonlinearity) {
      return Reference.weighed(loop(numbers, inputs, nonlinearity), weights);
    }

    double[][] loop(double[] numbers, double[][] inputs, ActivationFunction nonlinearity) {
      double[][] y = new double[ROWS][];
      for (int row = 0; row < ROWS; row++) {
        y[row] = Reference.affine(numbers, 0, bias, width, inputs[row]);
        for (int j = 0; j < width; j++) {
          y[row][j] = ActivationFunctionTest.value(nonlinearity, y[row][j]);
        }
      }
      return y;
    }
  }
}
