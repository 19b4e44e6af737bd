package io.quantail.kernel;

import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.List;

/** Random matrices and maps. */
final class Samples {
  private Samples() {}

  static float[][] matrix(RandomStream random, int rows, int columns) {
    float[][] matrix = new float[rows][];
    for (int row = 0; row < rows; row++) {
      matrix[row] = vector(random, columns, 1);
    }
    return matrix;
  }

  static float[] vector(RandomStream random, int size, double scale) {
    float[] vector = new float[size];
    for (int i = 0; i < size; i++) {
      vector[i] = (float) (scale * random.nextGaussian());
    }
    return vector;
  }

  /** Weights at the offset, the bias behind them. */
  static PackedWeights weights(int inputs, int outputs, int offset) {
    int bias = offset + inputs * outputs;
    return new PackedWeights(inputs, List.of(new PackedWeights.Part(outputs, offset, bias)));
  }

  /** Weights and bias of two inputs, one behind the other, whose outputs are added. */
  static PackedWeights joined(int inputs, int others, int outputs) {
    int second = outputs * (inputs + 1);
    PackedWeights.Part one = new PackedWeights.Part(outputs, 0, outputs * inputs);
    PackedWeights.Part other = new PackedWeights.Part(outputs, second, second + outputs * others);
    return new PackedWeights(
        List.of(
            new PackedWeights.Input(inputs, List.of(one)),
            new PackedWeights.Input(others, List.of(other))));
  }

  static AffineMap affine(PackedWeights weights, float[] parameters, float[] gradient) {
    weights.read(parameters);
    return new AffineMap(weights, gradient, ParallelLoop.ALONE);
  }
}
