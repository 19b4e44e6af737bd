package io.quantail.network;

import io.quantail.random.RandomStream;
import java.util.Arrays;

/** Draws the initial values of a parameter tensor. */
@FunctionalInterface
public interface WeightInitializer {
  float[] draw(RandomStream random, long[] shape);

  /** All elements equal. */
  static WeightInitializer constant(float value) {
    return (random, shape) -> {
      float[] values = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
      Arrays.fill(values, value);
      return values;
    };
  }

  /** Given elements. */
  static WeightInitializer of(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return (random, shape) -> floats.clone();
  }

  /**
   * A matrix with orthonormal rows or columns, whichever are fewer, times a gain.
   *
   * <p>See: Saxe, McClelland, Ganguli, "Exact solutions to the nonlinear dynamics of learning in
   * deep linear neural networks", 2014, arXiv:1312.6120.
   */
  static WeightInitializer orthogonal(double gain) {
    return (random, shape) -> scaled(orthonormal(random, (int) shape[0], (int) shape[1]), gain);
  }

  /**
   * Uniform in [-1/sqrt(width), 1/sqrt(width)), for the weights of an LSTM.
   *
   * <p>Learns better than orthogonal gates with a forget bias of 1, which average the past over
   * many steps and make differences between observations hard to learn: {@code docs/internals/adr},
   * decision 5.
   */
  static WeightInitializer uniform(int width) {
    return (random, shape) -> {
      double bound = 1 / Math.sqrt(width);
      float[] values = new float[(int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) random.nextDouble(-bound, bound);
      }
      return values;
    };
  }

  private static float[] scaled(double[][] matrix, double gain) {
    int columns = matrix[0].length;
    float[] values = new float[matrix.length * columns];
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < columns; column++) {
        values[row * columns + column] = (float) (gain * matrix[row][column]);
      }
    }
    return values;
  }

  private static double[][] orthonormal(RandomStream random, int rows, int columns) {
    if (rows > columns) {
      return transpose(orthonormal(random, columns, rows));
    }
    double[][] basis = new double[rows][columns];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        basis[row][column] = random.nextGaussian();
      }
      // Twice, because one pass of Gram-Schmidt leaves rounding errors that grow with the size.
      removeProjections(basis, row);
      removeProjections(basis, row);
      double length = Math.sqrt(dot(basis[row], basis[row]));
      for (int column = 0; column < columns; column++) {
        basis[row][column] /= length;
      }
    }
    return basis;
  }

  private static void removeProjections(double[][] basis, int row) {
    for (int previous = 0; previous < row; previous++) {
      double projection = dot(basis[row], basis[previous]);
      for (int column = 0; column < basis[row].length; column++) {
        basis[row][column] -= projection * basis[previous][column];
      }
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double[][] transpose(double[][] matrix) {
    double[][] result = new double[matrix[0].length][matrix.length];
    for (int row = 0; row < matrix.length; row++) {
      for (int column = 0; column < matrix[0].length; column++) {
        result[column][row] = matrix[row][column];
      }
    }
    return result;
  }
}
