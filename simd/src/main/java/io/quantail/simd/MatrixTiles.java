package io.quantail.simd;

import static io.quantail.simd.VectorLanes.COUNT;
import static io.quantail.simd.VectorLanes.all;
import static io.quantail.simd.VectorLanes.holdLoads;
import static io.quantail.simd.VectorLanes.load;

import jdk.incubator.vector.FloatVector;
import org.jspecify.annotations.Nullable;

/**
 * The inner loops of matrix products: a tile of four rows and sixteen columns stays in registers
 * while the terms of its sums are added.
 *
 * <p>Two multiply-adds a cycle with a latency of four need eight accumulators. The right-hand
 * matrix comes in panels of sixteen columns, term by term, so that it streams from the cache.
 *
 * <p>The JIT compiler unrolls these loops by four terms and would then load all factors first, for
 * which there are not enough registers: half the speed. Fences between the rows prevent reordering
 * of the loads and cost no instruction. About fifteen instructions per term remain, so that a core
 * that is shared with another program keeps two thirds of its speed. To the compiler the fences
 * make the loop longer; {@link VectorSupport#JVM_OPTIONS} lets it be unrolled all the same.
 *
 * <p>Every sum starts with the present value and runs in ascending order with one rounding per
 * term, as in a plain loop with {@link Math#fma}: the same bits.
 */
public final class MatrixTiles {
  /** Columns of a tile and of a panel. */
  public static final int WIDTH = 16;

  /** Rows of a tile. */
  public static final int HEIGHT = 4;

  /** Tells the compiler that a column is a multiple of sixteen and not negative. */
  private static final int COLUMNS = Integer.MAX_VALUE - (WIDTH - 1);

  /**
   * More terms than possible: tells the compiler that an index in a panel is not negative, which
   * saves instructions that would extend its sign.
   */
  private static final int MOST_TERMS = Integer.MAX_VALUE / WIDTH - 1;

  private MatrixTiles() {}

  /** Copies sixteen columns of some rows into a panel. */
  public static void pack(float[] panel, float[][] rows, int count, int column) {
    for (int row = 0; row < count; row++) {
      float[] source = rows[row];
      load(source, column).intoArray(panel, row * WIDTH);
      load(source, column + COUNT).intoArray(panel, row * WIDTH + COUNT);
    }
  }

  /** Copies sixteen columns of contiguous rows into some rows of a panel. */
  public static void pack(float[] panel, int first, float[] flat, int from, int length, int count) {
    for (int row = 0; row < count; row++) {
      int source = from + row * length;
      int target = (first + row) * WIDTH;
      load(flat, source).intoArray(panel, target);
      load(flat, source + COUNT).intoArray(panel, target + COUNT);
    }
  }

  /**
   * {@code c_r[column + j] += sum_p a_r[p] panel[16 p + j]} for four rows r and sixteen columns j.
   *
   * @param column a multiple of sixteen
   * @param start initial values of the sums of all rows; null to add to c
   */
  public static void add(
      float[] c0,
      float[] c1,
      float[] c2,
      float[] c3,
      int column,
      float @Nullable [] start,
      float[] a0,
      float[] a1,
      float[] a2,
      float[] a3,
      float[] panel,
      int terms) {
    int at = column & COLUMNS;
    float[] start0 = start == null ? c0 : start;
    float[] start1 = start == null ? c1 : start;
    float[] start2 = start == null ? c2 : start;
    float[] start3 = start == null ? c3 : start;
    FloatVector c00 = load(start0, at);
    FloatVector c01 = load(start0, at + COUNT);
    FloatVector c10 = load(start1, at);
    FloatVector c11 = load(start1, at + COUNT);
    FloatVector c20 = load(start2, at);
    FloatVector c21 = load(start2, at + COUNT);
    FloatVector c30 = load(start3, at);
    FloatVector c31 = load(start3, at + COUNT);
    int count = Math.min(terms, MOST_TERMS);
    for (int p = 0; p < count; p++) {
      int place = p * WIDTH;
      FloatVector b0 = load(panel, place);
      FloatVector b1 = load(panel, place + COUNT);
      FloatVector x = all(a0[p]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      holdLoads();
      x = all(a1[p]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      holdLoads();
      x = all(a2[p]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      holdLoads();
      x = all(a3[p]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      holdLoads();
    }
    c00.intoArray(c0, at);
    c01.intoArray(c0, at + COUNT);
    c10.intoArray(c1, at);
    c11.intoArray(c1, at + COUNT);
    c20.intoArray(c2, at);
    c21.intoArray(c2, at + COUNT);
    c30.intoArray(c3, at);
    c31.intoArray(c3, at + COUNT);
  }

  /**
   * {@code c[at_r + j] += sum_p a[16 p + column + r] b[16 p + j]} for four rows r and sixteen
   * columns j: both factors are panels.
   *
   * @param first whether c counts as zero
   */
  public static void addOuter(
      float[] c,
      int at0,
      int at1,
      int at2,
      int at3,
      boolean first,
      float[] a,
      int column,
      float[] b,
      int terms) {
    FloatVector zero = all(0);
    FloatVector c00 = first ? zero : load(c, at0);
    FloatVector c01 = first ? zero : load(c, at0 + COUNT);
    FloatVector c10 = first ? zero : load(c, at1);
    FloatVector c11 = first ? zero : load(c, at1 + COUNT);
    FloatVector c20 = first ? zero : load(c, at2);
    FloatVector c21 = first ? zero : load(c, at2 + COUNT);
    FloatVector c30 = first ? zero : load(c, at3);
    FloatVector c31 = first ? zero : load(c, at3 + COUNT);
    int from = column & WIDTH - 1;
    int count = Math.min(terms, MOST_TERMS);
    for (int p = 0; p < count; p++) {
      int place = p * WIDTH;
      int q = place + from;
      FloatVector b0 = load(b, place);
      FloatVector b1 = load(b, place + COUNT);
      FloatVector x = all(a[q]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      holdLoads();
      x = all(a[q + 1]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      holdLoads();
      x = all(a[q + 2]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      holdLoads();
      x = all(a[q + 3]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
      holdLoads();
    }
    c00.intoArray(c, at0);
    c01.intoArray(c, at0 + COUNT);
    c10.intoArray(c, at1);
    c11.intoArray(c, at1 + COUNT);
    c20.intoArray(c, at2);
    c21.intoArray(c, at2 + COUNT);
    c30.intoArray(c, at3);
    c31.intoArray(c, at3 + COUNT);
  }
}
