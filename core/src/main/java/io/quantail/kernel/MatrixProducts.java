package io.quantail.kernel;

/**
 * Products of matrices that are given as arrays of rows.
 *
 * <p>Every sum runs in ascending order of its index with one rounding a term ({@link Math#fma}), so
 * a row of a result depends neither on the other rows nor on how the work is split: one step of one
 * environment and a batch of sequences give the same bits.
 *
 * <p>The inner loop takes four rows of the result and two terms of their sums at a time. That is as
 * much as the JIT compiler of Java 17 turns into vector instructions, and enough to be bound by
 * arithmetic rather than by memory ({@code docs/internals/performance.md}).
 */
final class MatrixProducts {
  /** Floats of the right-hand matrix that are used for all rows before the next ones: 128 KiB. */
  private static final int CACHED_FLOATS = 1 << 15;

  private static final float[] NONE = {};

  private MatrixProducts() {}

  /** {@code c_i += sum_p a_i[p] b_p} for the first {@code rows} rows. */
  static void addProduct(float[][] c, float[][] a, float[][] b, int rows) {
    if (rows == 0 || b.length == 0) {
      return;
    }
    TileScratch scratch = TileScratch.ofThread();
    float[] unused = rows % 4 == 0 ? NONE : scratch.unused(b[0].length);
    float[] zeros = b.length % 2 == 0 ? NONE : scratch.zeros(b[0].length);
    int block = block(b[0].length);
    for (int from = 0; from < b.length; from += block) {
      int to = Math.min(b.length, from + block);
      for (int row = 0; row < rows; row += 4) {
        int last = rows - 1;
        addToFour(
            c[row],
            row + 1 < rows ? c[row + 1] : unused,
            row + 2 < rows ? c[row + 2] : unused,
            row + 3 < rows ? c[row + 3] : unused,
            a[row],
            a[Math.min(row + 1, last)],
            a[Math.min(row + 2, last)],
            a[Math.min(row + 3, last)],
            b,
            from,
            to,
            zeros);
      }
    }
  }

  private static void addToFour(
      float[] c0,
      float[] c1,
      float[] c2,
      float[] c3,
      float[] a0,
      float[] a1,
      float[] a2,
      float[] a3,
      float[][] b,
      int from,
      int to,
      float[] zeros) {
    int p = from;
    for (; p + 1 < to; p += 2) {
      int q = p + 1;
      addTwoTerms(
          c0, c1, c2, c3, b[p], b[q], a0[p], a0[q], a1[p], a1[q], a2[p], a2[q], a3[p], a3[q]);
    }
    if (p < to) {
      addTwoTerms(c0, c1, c2, c3, b[p], zeros, a0[p], 0, a1[p], 0, a2[p], 0, a3[p], 0);
    }
  }

  /** Adds a sum over the first {@code rows} rows of a and b. */
  static void addTransposedProduct(AffineMap.Sum sum, float[][] a, int rows) {
    int[] places = sum.places();
    float[][] c = new float[places.length][sum.b()[0].length];
    for (int p = 0; p < c.length && !sum.first(); p++) {
      System.arraycopy(sum.c(), places[p], c[p], 0, c[p].length);
    }
    addTransposedProduct(c, a, sum.b(), rows);
    for (int p = 0; p < c.length; p++) {
      System.arraycopy(c[p], 0, sum.c(), places[p], c[p].length);
    }
  }

  /** {@code c_p += sum_i a_i[p] b_i} over the first {@code rows} rows of a and b. */
  static void addTransposedProduct(float[][] c, float[][] a, float[][] b, int rows) {
    if (rows == 0 || c.length == 0) {
      return;
    }
    float[] unused = c.length % 4 == 0 ? NONE : new float[c[0].length];
    float[] zeros = rows % 2 == 0 ? NONE : new float[c[0].length];
    int block = block(c[0].length);
    for (int from = 0; from < rows; from += block) {
      int to = Math.min(rows, from + block);
      for (int p = 0; p < c.length; p += 4) {
        addColumnsToFour(
            c[p],
            p + 1 < c.length ? c[p + 1] : unused,
            p + 2 < c.length ? c[p + 2] : unused,
            p + 3 < c.length ? c[p + 3] : unused,
            a,
            p,
            Math.min(p + 1, c.length - 1),
            Math.min(p + 2, c.length - 1),
            Math.min(p + 3, c.length - 1),
            b,
            from,
            to,
            zeros);
      }
    }
  }

  private static void addColumnsToFour(
      float[] c0,
      float[] c1,
      float[] c2,
      float[] c3,
      float[][] a,
      int p0,
      int p1,
      int p2,
      int p3,
      float[][] b,
      int from,
      int to,
      float[] zeros) {
    int i = from;
    for (; i + 1 < to; i += 2) {
      float[] x = a[i];
      float[] y = a[i + 1];
      addTwoTerms(
          c0, c1, c2, c3, b[i], b[i + 1], x[p0], y[p0], x[p1], y[p1], x[p2], y[p2], x[p3], y[p3]);
    }
    if (i < to) {
      float[] x = a[i];
      addTwoTerms(c0, c1, c2, c3, b[i], zeros, x[p0], 0, x[p1], 0, x[p2], 0, x[p3], 0);
    }
  }

  private static void addTwoTerms(
      float[] c0,
      float[] c1,
      float[] c2,
      float[] c3,
      float[] b0,
      float[] b1,
      float a00,
      float a01,
      float a10,
      float a11,
      float a20,
      float a21,
      float a30,
      float a31) {
    for (int j = 0; j < c0.length; j++) {
      float x0 = b0[j];
      float x1 = b1[j];
      float y0 = c0[j];
      float y1 = c1[j];
      float y2 = c2[j];
      float y3 = c3[j];
      c0[j] = Math.fma(a01, x1, Math.fma(a00, x0, y0));
      c1[j] = Math.fma(a11, x1, Math.fma(a10, x0, y1));
      c2[j] = Math.fma(a21, x1, Math.fma(a20, x0, y2));
      c3[j] = Math.fma(a31, x1, Math.fma(a30, x0, y3));
    }
  }

  /** An even number of rows that fit the cache together. */
  private static int block(int width) {
    return Math.max(2, CACHED_FLOATS / Math.max(1, width) / 2 * 2);
  }
}
