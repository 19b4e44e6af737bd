package io.quantail.kernel;

import org.jspecify.annotations.Nullable;

/** A factor as rows, for loops that the compiler vectorises by itself. */
final class RowMatrix implements PackedMatrix {
  /** Columns that are transposed together, so that both matrices stay in the cache. */
  private static final int TILE = 16;

  private final float[][] rows; // [term][column]

  RowMatrix(int terms, int columns) {
    rows = new float[terms][columns];
  }

  @Override
  public long size() {
    return (long) rows.length * rows[0].length;
  }

  @Override
  public void readColumns(float[] flat, int from, int column, int columns, int term, int terms) {
    for (int first = 0; first < columns; first += TILE) {
      int last = Math.min(columns, first + TILE);
      for (int t = 0; t < terms; t++) {
        for (int c = first; c < last; c++) {
          rows[term + t][column + c] = flat[from + c * terms + t];
        }
      }
    }
  }

  @Override
  public void readTerms(float[] flat, int from, int term, int terms) {
    int columns = rows[0].length;
    for (int t = 0; t < terms; t++) {
      System.arraycopy(flat, from + t * columns, rows[term + t], 0, columns);
    }
  }

  @Override
  public void product(float[][] c, float @Nullable [] start, float[][] a, int count) {
    for (int row = 0; row < count && start != null; row++) {
      System.arraycopy(start, 0, c[row], 0, start.length);
    }
    MatrixProducts.addProduct(c, a, rows, count);
  }
}
