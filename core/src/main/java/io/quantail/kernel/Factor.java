package io.quantail.kernel;

import io.quantail.simd.Simd;

/**
 * The right-hand matrix of many products, [term][column], kept in the layout that they want.
 *
 * <p>Both layouts give the same bits: every sum runs in ascending order with one rounding a term.
 */
interface Factor {
  /** Whether the JVM offers vector instructions; it does when {@code ./quantail} starts it. */
  boolean VECTORS = Simd.available();

  static Factor of(int terms, int columns) {
    return VECTORS ? new PanelFactor(terms, columns) : new RowFactor(terms, columns);
  }

  /**
   * Takes the numbers from their transpose.
   *
   * @param byColumn where in the flat vector those of each column begin
   */
  void readTransposed(float[] flat, int[] byColumn);

  /**
   * Takes the numbers as they are.
   *
   * @param byTerm where in the flat vector those of each term begin
   */
  void read(float[] flat, int[] byTerm);

  /**
   * {@code c_i = start + sum_p a_i[p] b_p} for the first {@code rows} rows; may run in several
   * threads.
   *
   * @param start what all sums begin with; null for what is there
   */
  void product(float[][] c, float[] start, float[][] a, int rows);
}
