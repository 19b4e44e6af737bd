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

  /** Multiplications for a row of a product. */
  long size();

  /**
   * Takes some columns of some terms; those of a column lie side by side, the columns one behind
   * the other.
   *
   * @param from where they begin in the flat vector
   */
  void readColumns(float[] flat, int from, int column, int columns, int term, int terms);

  /**
   * Takes some terms, which lie one behind the other.
   *
   * @param from where they begin in the flat vector
   */
  void readTerms(float[] flat, int from, int term, int terms);

  /**
   * {@code c_i = start + sum_p a_i[p] b_p} for the first {@code rows} rows; may run in several
   * threads.
   *
   * @param start what all sums begin with; null for what is there
   */
  void product(float[][] c, float[] start, float[][] a, int rows);
}
