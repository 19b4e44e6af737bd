package io.quantail.kernel;

import static io.quantail.kernel.Twins.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Layers;
import io.quantail.tensor.Layers.LstmResult;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sequences of different lengths, not in order of length, from random states. */
@Requirement("NET-1")
class LstmLayerTest {
  private static final int[] LENGTHS = {3, 9, 1, 5, 9};
  private static final int[] STARTS = {0, 3, 12, 13, 18};
  private static final int ROWS = 27;

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
    final Weights map;
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
      layer = new LstmLayer(new Affine(map, gradient, ParallelLoop.ALONE));
    }

    LstmLayer.Trace forward() {
      map.read(parameters);
      return layer.forward(new Workspace(), new Packing(STARTS, LENGTHS), x, hidden, cell);
    }

    double loss() {
      float[][] y = forward().hidden();
      double loss = 0;
      for (int row = 0; row < ROWS; row++) {
        for (int j = 0; j < width; j++) {
          loss += (double) y[row][j] * weights[row][j];
        }
      }
      return loss;
    }

    float[][] backward() {
      float[][] dHidden = Arrays.stream(weights).map(float[]::clone).toArray(float[][]::new);
      return layer.backward(new Workspace(), forward(), dHidden, true);
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 64", "64, 16", "3, 5", "1, 1"})
  void shouldAgreeWithLibtorchForwardAndBackward(int inputs, int width) {
    Case example = new Case(inputs, width);
    LstmLayer.Trace trace = example.forward();
    float[][] dx = example.backward();
    float[] gradient = example.gradient;
    float[][] lastHidden = trace.last(trace.hidden());
    float[][] lastCell = trace.last(trace.cell());
    try (Scope scope = Scope.open()) {
      List<Tensor> weights = leaves(example);
      Tensor loss = Tensor.zeros(1);
      Tensor[] x = new Tensor[LENGTHS.length];
      for (int s = 0; s < LENGTHS.length; s++) {
        int from = STARTS[s];
        int to = from + LENGTHS[s];
        x[s] = tensor(Arrays.copyOfRange(example.x, from, to), 1).requireGradient();
        LstmResult result =
            Layers.lstm(
                x[s],
                tensor(new float[][] {example.hidden[s]}, 0),
                tensor(new float[][] {example.cell[s]}, 0),
                weights);
        Tensor weighed = tensor(Arrays.copyOfRange(example.weights, from, to), 1);
        loss = loss.add(result.output().mul(weighed).sum());
        assertClose(Rows.join(slice(trace.hidden(), from, to), 0, width), result.output());
        assertClose(lastHidden[s], result.hidden());
        assertClose(lastCell[s], result.cell());
      }
      loss.sum().backward();
      int offset = 0;
      for (int part : new int[] {0, 2, 1, 3}) {
        int count = (int) weights.get(part).count();
        assertClose(
            Arrays.copyOfRange(gradient, offset, offset + count), weights.get(part).gradient());
        offset += count;
      }
      for (int s = 0; s < LENGTHS.length; s++) {
        float[][] rows = slice(dx, STARTS[s], STARTS[s] + LENGTHS[s]);
        assertClose(Rows.join(rows, 0, inputs), x[s].gradient());
      }
    }
  }

  private static List<Tensor> leaves(Case example) {
    int gates = 4 * example.width;
    int inputWeight = gates * example.inputs;
    int recurrent = inputWeight + gates;
    int recurrentBias = recurrent + gates * example.width;
    return List.of(
        leaf(example.parameters, 0, gates, example.inputs),
        leaf(example.parameters, recurrent, gates, example.width),
        leaf(example.parameters, inputWeight, gates),
        leaf(example.parameters, recurrentBias, gates));
  }

  private static Tensor leaf(float[] flat, int from, long... shape) {
    int count = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    return Tensor.of(Arrays.copyOfRange(flat, from, from + count), shape).requireGradient();
  }

  private static float[][] slice(float[][] rows, int from, int to) {
    return Arrays.copyOfRange(rows, from, to);
  }

  /** Rows as [row, 1, width] with dimension 1, or [1, row, width] with dimension 0. */
  private static Tensor tensor(float[][] rows, int dimension) {
    int width = rows[0].length;
    return Tensor.of(Rows.join(rows, 0, width), rows.length, width).unsqueeze(dimension).detach();
  }

  @Test
  void shouldHaveTheGradientOfFiniteDifferences() {
    Case example = new Case(3, 4);
    float[][] dx = example.backward();
    float[] gradient = example.gradient;
    for (int i = 0; i < gradient.length; i += 7) {
      double slope = slope(example, example.parameters, i);
      assertThat((double) gradient[i]).isCloseTo(slope, within(3e-3 * (1 + Math.abs(slope))));
    }
    for (int row = 0; row < ROWS; row += 5) {
      double slope = slope(example, example.x[row], 1);
      assertThat((double) dx[row][1]).isCloseTo(slope, within(3e-3 * (1 + Math.abs(slope))));
    }
  }

  private static double slope(Case example, float[] numbers, int index) {
    float step = 0x1p-8f;
    float before = numbers[index];
    numbers[index] = before + step;
    double above = example.loss();
    numbers[index] = before - step;
    double below = example.loss();
    numbers[index] = before;
    return (above - below) / (2 * step);
  }
}
