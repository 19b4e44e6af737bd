package io.quantail.kernel;

import java.util.Arrays;

/** Matrices as arrays of rows, and small loops over rows. */
public final class Rows {
  private Rows() {}

  public static float[][] zeros(int rows, int width) {
    return new float[rows][width];
  }

  /** Row-major numbers as rows of their own. */
  public static float[][] split(float[] flat, int width) {
    float[][] rows = new float[flat.length / width][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = Arrays.copyOfRange(flat, row * width, (row + 1) * width);
    }
    return rows;
  }

  /** Entries [from, from + width) of all rows, one row behind the other. */
  public static float[] join(float[][] rows, int from, int width) {
    float[] flat = new float[rows.length * width];
    for (int row = 0; row < rows.length; row++) {
      System.arraycopy(rows[row], from, flat, row * width, width);
    }
    return flat;
  }

  /** {@code y = a b}. */
  static void multiply(float[] y, float[] a, float[] b) {
    for (int j = 0; j < y.length; j++) {
      y[j] = a[j] * b[j];
    }
  }
}
