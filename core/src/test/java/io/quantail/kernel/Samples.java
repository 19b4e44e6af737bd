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
  static Weights weights(int inputs, int outputs, int offset) {
    int bias = offset + inputs * outputs;
    return new Weights(inputs, List.of(new Weights.Part(outputs, offset, bias)));
  }

  /** Weights and bias of two inputs, one behind the other, whose outputs are added. */
  static Weights joined(int inputs, int others, int outputs) {
    int second = outputs * (inputs + 1);
    Weights.Part one = new Weights.Part(outputs, 0, outputs * inputs);
    Weights.Part other = new Weights.Part(outputs, second, second + outputs * others);
    return new Weights(
        List.of(
            new Weights.Input(inputs, List.of(one)), new Weights.Input(others, List.of(other))));
  }

  static Affine affine(Weights weights, float[] parameters, float[] gradient) {
    weights.read(parameters);
    return new Affine(weights, gradient, ParallelLoop.ALONE);
  }
}
