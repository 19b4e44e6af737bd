package io.quantail.tensor;

import org.bytedeco.pytorch.global.torch;

/** Measures how fast one core of this machine multiplies large matrices of floats. */
public final class Sgemm {
  private static final int SIZE = 512;

  private Sgemm() {}

  /** The best of several products over the given time, in GFLOPS. */
  public static double gflops(double seconds) {
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      org.bytedeco.pytorch.Tensor a = torch.rand(SIZE, SIZE);
      org.bytedeco.pytorch.Tensor b = torch.rand(SIZE, SIZE);
      double best = Double.POSITIVE_INFINITY;
      long end = System.nanoTime() + (long) (seconds * 1e9);
      do {
        long start = System.nanoTime();
        torch.mm(a, b).close();
        best = Math.min(best, System.nanoTime() - start);
      } while (System.nanoTime() < end);
      return 2.0 * SIZE * SIZE * SIZE / best;
    }
  }
}
