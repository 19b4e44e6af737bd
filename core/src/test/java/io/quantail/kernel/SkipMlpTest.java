package io.quantail.kernel;

import static io.quantail.kernel.Reference.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two layers and the path beside them against plain loops in double precision. */
class SkipMlpTest {
  private static final int ROWS = 6;

  @ParameterizedTest
  @CsvSource({"3, 5", "8, 16", "24, 8", "17, 9"})
  void shouldAgreeWithPlainLoopsForwardAndBackward(int inputs, int width) {
    Case example = new Case(inputs, width);
    FeedForward.Trace trace = example.layers.forward(new Workspace(), example.x, ROWS);
    float[][] dx = trace.backward(new Workspace(), Reference.copy(example.weights), true);

    double[] parameters = Reference.doubles(example.parameters);
    double[][] x = Reference.doubles(example.x);
    assertClose(trace.y(), example.loop(parameters, x));
    for (int i = 0; i < parameters.length; i++) {
      double slope = Reference.slope(() -> example.loss(parameters, x), parameters, i);
      assertClose(example.gradient[i], slope);
    }
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < inputs; i++) {
        double slope = Reference.slope(() -> example.loss(parameters, x), x[row], i);
        assertClose(dx[row][i], slope);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 5", "8, 16"})
  void shouldGiveTheInputGradientAloneWithoutTouchingThatOfTheWeights(int inputs, int width) {
    Case example = new Case(inputs, width);
    FeedForward.Trace trace = example.layers.forward(new Workspace(), example.x, ROWS);
    float[][] alone = trace.inputGradient(new Workspace(), Reference.copy(example.weights));
    assertThat(example.gradient).containsOnly(0);
    assertThat(alone)
        .isDeepEqualTo(trace.backward(new Workspace(), Reference.copy(example.weights), true));
  }

  /** W1, b1, Ws, W2 and b2 in one flat vector. */
  private static final class Case {
    final int width;
    final int first;
    final int skip;
    final int second;
    final int secondBias;
    final float[] parameters;
    final float[] gradient;
    final float[][] x;
    final float[][] weights;
    final SkipMlp layers;

    Case(int inputs, int width) {
      RandomStream random = RandomStream.of(12, "skip", 0);
      this.width = width;
      first = width * inputs;
      skip = first + width;
      second = skip + width * inputs;
      secondBias = second + width * width;
      parameters = Samples.vector(random, secondBias + width, 0.4);
      gradient = new float[parameters.length];
      x = Samples.matrix(random, ROWS, inputs);
      weights = Samples.matrix(random, ROWS, width);
      PackedWeights firstAndSkip =
          new PackedWeights(
              inputs,
              List.of(
                  new PackedWeights.Part(width, 0, first),
                  new PackedWeights.Part(width, skip, PackedWeights.Part.NONE)));
      layers =
          new SkipMlp(
              Samples.affine(firstAndSkip, parameters, gradient),
              Samples.affine(Samples.weights(width, width, second), parameters, gradient),
              ActivationFunction.SILU);
    }

    double loss(double[] numbers, double[][] inputs) {
      return Reference.weighed(loop(numbers, inputs), weights);
    }

    double[][] loop(double[] numbers, double[][] inputs) {
      double[][] y = new double[ROWS][];
      for (int row = 0; row < ROWS; row++) {
        double[] inner = silu(Reference.affine(numbers, 0, first, width, inputs[row]));
        double[] outer = silu(Reference.affine(numbers, second, secondBias, width, inner));
        double[] skipped = Reference.affine(numbers, skip, -1, width, inputs[row]);
        for (int j = 0; j < width; j++) {
          outer[j] += skipped[j];
        }
        y[row] = outer;
      }
      return y;
    }

    private static double[] silu(double[] sums) {
      double[] y = new double[sums.length];
      for (int j = 0; j < y.length; j++) {
        y[j] = sums[j] * Reference.sigmoid(sums[j]);
      }
      return y;
    }
  }
}
