package io.quantail.kernel;

/** A factor as rows, for loops that the compiler vectorises by itself. */
final class RowFactor implements Factor {
  /** Columns that are transposed together, so that both matrices stay in the cache. */
  private static final int TILE = 16;

  private final float[][] rows; // [term][column]

  RowFactor(int terms, int columns) {
    rows = new float[terms][columns];
  }

  @Override
  public void readTransposed(float[] flat, int[] byColumn) {
    for (int from = 0; from < byColumn.length; from += TILE) {
      int to = Math.min(byColumn.length, from + TILE);
      for (int term = 0; term < rows.length; term++) {
        for (int column = from; column < to; column++) {
          rows[term][column] = flat[byColumn[column] + term];
        }
      }
    }
  }

  @Override
  public void read(float[] flat, int[] byTerm) {
    for (int term = 0; term < rows.length; term++) {
      System.arraycopy(flat, byTerm[term], rows[term], 0, rows[term].length);
    }
  }

  @Override
  public void product(float[][] c, float[] start, float[][] a, int count) {
    for (int row = 0; row < count && start != null; row++) {
      System.arraycopy(start, 0, c[row], 0, start.length);
    }
    Products.addProduct(c, a, rows, count);
  }
}
