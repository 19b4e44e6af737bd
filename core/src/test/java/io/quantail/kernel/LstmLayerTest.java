package io.quantail.kernel;

import static io.quantail.kernel.Reference.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import io.quantail.testing.FiniteDifferences;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sequences of different lengths, not in order of length, from random states. */
@Requirement("NET-1")
class LstmLayerTest {
  private static final int[] LENGTHS = {3, 9, 1, 5, 9};
  private static final int[] STARTS = {0, 3, 12, 13, 18};
  private static final int ROWS = 27;
  private static final int DERIVATIVES = 150;

  private final RandomStream random = RandomStream.of(11, "lstm", 0);

  /** Weights, biases and inputs of a layer in one flat vector, and what the loss weighs. */
  private final class Case {
    final int inputs;
    final int width;
    final float[] parameters;
    final float[] gradient;
    final float[][] x;
    final float[][] hidden;
    final float[][] cell;
    final float[][] weights;
    final PackedWeights map;
    final LstmLayer layer;

    Case(int inputs, int width) {
      this.inputs = inputs;
      this.width = width;
      int inputNumbers = 4 * width * (inputs + 1);
      parameters = Samples.vector(random, inputNumbers + 4 * width * (width + 1), 0.4);
      gradient = new float[parameters.length];
      x = Samples.matrix(random, ROWS, inputs);
      hidden = Samples.matrix(random, LENGTHS.length, width);
      cell = Samples.matrix(random, LENGTHS.length, width);
      weights = Samples.matrix(random, ROWS, width);
      map = Samples.joined(inputs, width, 4 * width);
      layer = new LstmLayer(new AffineMap(map, gradient, ParallelLoop.ALONE));
    }

    LstmLayer.Trace forward() {
      map.read(parameters);
      return layer.forward(new Workspace(), new SequencePacking(STARTS, LENGTHS), x, hidden, cell);
    }

    double loss() {
      return Reference.weighed(Reference.doubles(forward().hidden()), weights);
    }

    float[][] backward() {
      return layer.backward(new Workspace(), forward(), Reference.copy(weights), true);
    }
  }

  /** The same layer, one sequence after the other in plain loops. */
  private static final class Loop {
    final Case example;
    final double[] parameters;
    final double[][] x;
    final double[][] hidden = new double[ROWS][];
    final double[][] cell = new double[ROWS][];

    Loop(Case example) {
      this.example = example;
      parameters = Reference.doubles(example.parameters);
      x = Reference.doubles(example.x);
    }

    double loss() {
      int width = example.width;
      int inputBias = 4 * width * example.inputs;
      int recurrent = inputBias + 4 * width;
      int recurrentBias = recurrent + 4 * width * width;
      for (int sequence = 0; sequence < LENGTHS.length; sequence++) {
        double[] h = Reference.doubles(example.hidden[sequence]);
        double[] c = Reference.doubles(example.cell[sequence]);
        for (int row = STARTS[sequence]; row < STARTS[sequence] + LENGTHS[sequence]; row++) {
          double[] sums = Reference.affine(parameters, 0, inputBias, 4 * width, x[row]);
          double[] others = Reference.affine(parameters, recurrent, recurrentBias, 4 * width, h);
          h = new double[width];
          c = c.clone();
          for (int j = 0; j < width; j++) {
            double in = Reference.sigmoid(sums[j] + others[j]);
            double forget = Reference.sigmoid(sums[width + j] + others[width + j]);
            double candidate = Math.tanh(sums[2 * width + j] + others[2 * width + j]);
            double out = Reference.sigmoid(sums[3 * width + j] + others[3 * width + j]);
            c[j] = forget * c[j] + in * candidate;
            h[j] = out * Math.tanh(c[j]);
          }
          hidden[row] = h;
          cell[row] = c;
        }
      }
      return Reference.weighed(hidden, example.weights);
    }
  }

  /** Widths of a multiple of eight run on vector instructions. */
  @ParameterizedTest
  @CsvSource({"2, 64", "64, 16", "16, 8", "3, 5", "9, 12", "1, 1"})
  void shouldAgreeWithPlainLoopsForwardAndBackward(int inputs, int width) {
    Case example = new Case(inputs, width);
    Loop loop = new Loop(example);
    loop.loss();
    LstmLayer.Trace trace = example.forward();
    assertClose(trace.hidden(), loop.hidden);
    assertClose(trace.cell(), loop.cell);
    for (int sequence = 0; sequence < LENGTHS.length; sequence++) {
      int last = STARTS[sequence] + LENGTHS[sequence] - 1;
      assertThat(trace.last(trace.hidden())[sequence]).isEqualTo(trace.hidden()[last]);
      assertThat(trace.last(trace.cell())[sequence]).isEqualTo(trace.cell()[last]);
    }

    float[][] dx = example.backward();
    int stride = Math.max(1, example.parameters.length / DERIVATIVES) | 1; // through all gates
    for (int i = 0; i < example.parameters.length; i += stride) {
      assertClose(example.gradient[i], Reference.slope(loop::loss, loop.parameters, i));
    }
    for (int row = 0; row < ROWS; row++) {
      for (int i = row % 7; i < inputs; i += 7) {
        assertClose(dx[row][i], Reference.slope(loop::loss, loop.x[row], i));
      }
    }
  }

  @Test
  void shouldAddToTheGradientThatIsThere() {
    Case example = new Case(3, 8);
    example.backward();
    float[] once = example.gradient.clone();
    example.backward();
    for (int i = 0; i < once.length; i++) {
      assertThat(example.gradient[i])
          .isCloseTo(2 * once[i], within(1e-5f * (1 + Math.abs(once[i]))));
    }
  }

  @Test
  void shouldGiveTheInputGradientAloneWithoutTouchingThatOfTheWeights() {
    Case example = new Case(3, 8);
    float[][] alone =
        example.layer.inputGradient(
            new Workspace(), example.forward(), Reference.copy(example.weights));
    assertThat(example.gradient).containsOnly(0);
    assertThat(alone).isDeepEqualTo(example.backward());
  }

  /** Of the production code's own values. */
  @Test
  void shouldHaveTheGradientOfFiniteDifferences() {
    Case example = new Case(3, 4);
    float[][] dx = example.backward();
    float[] gradient = example.gradient;
    for (int i = 0; i < gradient.length; i += 7) {
      double slope = FiniteDifferences.slope(example::loss, example.parameters, i, 0x1p-8);
      assertThat((double) gradient[i]).isCloseTo(slope, within(3e-3 * (1 + Math.abs(slope))));
    }
    for (int row = 0; row < ROWS; row += 5) {
      double slope = FiniteDifferences.slope(example::loss, example.x[row], 1, 0x1p-8);
      assertThat((double) dx[row][1]).isCloseTo(slope, within(3e-3 * (1 + Math.abs(slope))));
    }
  }

  /** Nothing of a sequence reaches another one. */
  @Test
  void shouldKeepSequencesApart() {
    Case example = new Case(2, 8);
    float[][] before = Reference.copy(example.forward().hidden());
    Arrays.fill(example.hidden[1], 9);
    example.x[STARTS[3]][0] += 3;
    float[][] after = example.forward().hidden();
    for (int sequence : new int[] {0, 2, 4}) {
      for (int row = STARTS[sequence]; row < STARTS[sequence] + LENGTHS[sequence]; row++) {
        assertThat(after[row]).isEqualTo(before[row]);
      }
    }
    assertThat(after[STARTS[1] + 8]).as("carried to the last row").isNotEqualTo(before[11]);
    assertThat(after[STARTS[3] + 4]).isNotEqualTo(before[17]);
  }
}
