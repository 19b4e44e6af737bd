package io.quantail.audit;

import io.quantail.tensor.Tensor;

/** Rows of doubles as tensors of double precision. */
final class Columns {
  private Columns() {}

  /** [row, column] */
  static Tensor matrix(double[][] rows) {
    int width = rows[0].length;
    double[] flat = new double[rows.length * width];
    for (int row = 0; row < rows.length; row++) {
      System.arraycopy(rows[row], 0, flat, row * width, width);
    }
    return Tensor.of(flat, rows.length, width);
  }

  /** [row] */
  static Tensor vector(double[] values) {
    return Tensor.of(values, values.length);
  }
}
