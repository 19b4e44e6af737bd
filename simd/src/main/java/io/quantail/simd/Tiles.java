package io.quantail.simd;

import static io.quantail.simd.Lanes.COUNT;
import static io.quantail.simd.Lanes.all;
import static io.quantail.simd.Lanes.load;

import jdk.incubator.vector.FloatVector;

/**
 * The inner loop of a matrix product: a tile of four rows and sixteen columns stays in registers
 * while the terms of its sums go by.
 *
 * <p>Eight accumulators are what two multiply-adds a cycle with a latency of four need; with twelve
 * the JIT compiler of Java 17 runs out of registers and the speed halves. The right-hand matrix
 * comes in panels of sixteen columns, term by term, so that it streams from the cache.
 *
 * <p>Every sum begins with what is there and runs in ascending order with one rounding a term, as
 * in a plain loop with {@link Math#fma}: the same bits.
 */
public final class Tiles {
  /** Columns of a tile. */
  public static final int WIDTH = 16;

  /**
   * The same number, but not known to the compiler: a loop with a long product counts as too large
   * to unroll, and unrolled this one runs out of registers and takes twice the time.
   */
  private static long multiplier = WIDTH;

  /** Tells the compiler that a place in a panel is not negative: four instructions a term less. */
  private static final int INDEX = Integer.MAX_VALUE - (WIDTH - 1);

  private Tiles() {}

  /** Copies sixteen columns of some rows into a panel. */
  public static void pack(float[] panel, float[][] rows, int count, int column) {
    for (int row = 0; row < count; row++) {
      float[] source = rows[row];
      load(source, column).intoArray(panel, row * WIDTH);
      load(source, column + COUNT).intoArray(panel, row * WIDTH + COUNT);
    }
  }

  /**
   * {@code c_r[at_r + j] += sum_p a_r[p] panel[16 p + j]} for four rows r and sixteen columns j.
   */
  public static void add(
      float[] c0,
      int at0,
      float[] c1,
      int at1,
      float[] c2,
      int at2,
      float[] c3,
      int at3,
      float[] a0,
      float[] a1,
      float[] a2,
      float[] a3,
      float[] panel,
      int terms) {
    FloatVector c00 = load(c0, at0);
    FloatVector c01 = load(c0, at0 + COUNT);
    FloatVector c10 = load(c1, at1);
    FloatVector c11 = load(c1, at1 + COUNT);
    FloatVector c20 = load(c2, at2);
    FloatVector c21 = load(c2, at2 + COUNT);
    FloatVector c30 = load(c3, at3);
    FloatVector c31 = load(c3, at3 + COUNT);
    long width = multiplier;
    for (int p = 0; p < terms; p++) {
      int place = (int) (p * width) & INDEX;
      FloatVector b0 = load(panel, place);
      FloatVector b1 = load(panel, place + COUNT);
      FloatVector x = all(a0[p]);
      c00 = x.fma(b0, c00);
      c01 = x.fma(b1, c01);
      x = all(a1[p]);
      c10 = x.fma(b0, c10);
      c11 = x.fma(b1, c11);
      x = all(a2[p]);
      c20 = x.fma(b0, c20);
      c21 = x.fma(b1, c21);
      x = all(a3[p]);
      c30 = x.fma(b0, c30);
      c31 = x.fma(b1, c31);
    }
    c00.intoArray(c0, at0);
    c01.intoArray(c0, at0 + COUNT);
    c10.intoArray(c1, at1);
    c11.intoArray(c1, at1 + COUNT);
    c20.intoArray(c2, at2);
    c21.intoArray(c2, at2 + COUNT);
    c30.intoArray(c3, at3);
    c31.intoArray(c3, at3 + COUNT);
  }
}
