package io.quantail.kernel;

import io.quantail.simd.VectorSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right-hand matrix of products, [term][column], packed in the layout of the inner loops.
 *
 * <p>Both layouts give the same bits: every sum runs in ascending order with one rounding a term.
 */
interface PackedMatrix {
  /** Whether the JVM offers vector instructions; it does when {@code ./quantail} starts it. */
  boolean VECTORS = VectorSupport.available();

  static PackedMatrix of(int terms, int columns) {
    return VECTORS ? new PanelMatrix(terms, columns) : new RowMatrix(terms, columns);
  }

  /** Number of multiplications per row of a product. */
  long size();

  /**
   * Copies some columns of some terms from a flat vector, column by column.
   *
   * @param from offset in the flat vector
   */
  void readColumns(float[] flat, int from, int column, int columns, int term, int terms);

  /**
   * Copies some terms from a flat vector, term by term.
   *
   * @param from offset in the flat vector
   */
  void readTerms(float[] flat, int from, int term, int terms);

  /**
   * {@code c_i = start + sum_p a_i[p] b_p} for the first {@code rows} rows. Thread-safe.
   *
   * @param start initial values of all sums; null to add to c
   */
  void product(float[][] c, float @Nullable [] start, float[][] a, int rows);
}
