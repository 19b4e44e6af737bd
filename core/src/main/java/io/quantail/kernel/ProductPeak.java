package io.quantail.kernel;

import java.util.Arrays;

/**
 * Measures how fast one core multiplies matrices of floats with the kernels that train, at a size
 * that suits them best: the reference for the products of whole updates.
 */
public final class ProductPeak {
  private static final int SIZE = 256;

  private ProductPeak() {}

  /** The best of many products within a time, in GFLOPS. */
  public static double gflops(double seconds) {
    PackedMatrix factor = PackedMatrix.of(SIZE, SIZE);
    float[] column = new float[SIZE];
    Arrays.fill(column, 1f / SIZE);
    for (int i = 0; i < SIZE; i++) {
      factor.readColumns(column, 0, i, 1, 0, SIZE);
    }
    float[][] a = new float[SIZE][SIZE];
    float[][] c = new float[SIZE][SIZE];
    float[] start = new float[SIZE];
    for (float[] row : a) {
      Arrays.fill(row, 0.5f);
    }
    double best = Double.POSITIVE_INFINITY;
    long end = System.nanoTime() + (long) (seconds * 1e9);
    do {
      long begun = System.nanoTime();
      factor.product(c, start, a, SIZE);
      best = Math.min(best, System.nanoTime() - begun);
    } while (System.nanoTime() < end);
    return 2.0 * SIZE * SIZE * SIZE / best;
  }
}
