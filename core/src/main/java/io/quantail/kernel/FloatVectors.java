package io.quantail.kernel;

import java.util.Arrays;

/** Small loops over vectors of floats, and matrices as arrays of rows. */
public final class FloatVectors {
  private FloatVectors() {}

  /** {@code y += x}. */
  public static void add(float[] y, float[] x) {
    add(y, x, 0, y.length);
  }

  /** {@code y += x} for the elements [from, to). */
  public static void add(float[] y, float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      y[i] += x[i];
    }
  }

  /** Adds four vectors one after the other, reading y once. */
  static void add(float[] y, float[] first, float[] second, float[] third, float[] fourth) {
    for (int i = 0; i < y.length; i++) {
      y[i] = y[i] + first[i] + second[i] + third[i] + fourth[i];
    }
  }

  /** {@code y = a b}, element by element. */
  static void multiply(float[] y, float[] a, float[] b) {
    for (int j = 0; j < y.length; j++) {
      y[j] = a[j] * b[j];
    }
  }

  /** {@code y *= factor}. */
  public static void scale(float[] y, double factor) {
    scale(y, factor, 0, y.length);
  }

  /** {@code y *= factor} for the elements [from, to). */
  public static void scale(float[] y, double factor, int from, int to) {
    float narrow = (float) factor;
    for (int i = from; i < to; i++) {
      y[i] *= narrow;
    }
  }

  /** The Euclidean norm of all elements. */
  public static double norm(float[] values) {
    return norm(values, 0, values.length);
  }

  /** The Euclidean norm of the elements [from, to). */
  public static double norm(float[] values, int from, int to) {
    return Math.sqrt(squares(values, from, to));
  }

  /**
   * The sum of the squares of the elements [from, to).
   *
   * <p>Four sums at once: a single one would make every element wait for the one before.
   */
  public static double squares(float[] values, int from, int to) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int i = from;
    for (; i + 3 < to; i += 4) {
      first += (double) values[i] * values[i];
      second += (double) values[i + 1] * values[i + 1];
      third += (double) values[i + 2] * values[i + 2];
      fourth += (double) values[i + 3] * values[i + 3];
    }
    for (; i < to; i++) {
      first += (double) values[i] * values[i];
    }
    return first + second + third + fourth;
  }

  /** The sum of all elements, four sums at once. */
  public static double sum(float[] values) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int i = 0;
    for (; i + 3 < values.length; i += 4) {
      first += values[i];
      second += values[i + 1];
      third += values[i + 2];
      fourth += values[i + 3];
    }
    for (; i < values.length; i++) {
      first += values[i];
    }
    return first + second + third + fourth;
  }

  /** Splits row-major numbers into rows of a width. */
  public static float[][] split(float[] flat, int width) {
    float[][] rows = new float[flat.length / width][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = Arrays.copyOfRange(flat, row * width, (row + 1) * width);
    }
    return rows;
  }

  /** Copies the elements [from, from + width) of all rows into one array, row by row. */
  public static float[] join(float[][] rows, int from, int width) {
    float[] flat = new float[rows.length * width];
    for (int row = 0; row < rows.length; row++) {
      System.arraycopy(rows[row], from, flat, row * width, width);
    }
    return flat;
  }
}
