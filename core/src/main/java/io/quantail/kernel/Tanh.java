package io.quantail.kernel;

import io.quantail.simd.Tangent;

/**
 * The hyperbolic tangent as a quotient of polynomials, {@code x P(x²) / Q(x²)}, on an interval at
 * whose ends it is 1, and beyond which it stays so.
 *
 * <p>The coefficients minimise the largest relative error up to 8.3 (least squares on a quotient,
 * reweighted until the peaks are level), which is 1e-8 before rounding. Rounding never steps over 1
 * before the interval ends, so nothing has to be cut off; {@code TanhTest} looks at every number
 * there, and pins what is left of the accuracy. Only additions, products and one division: a loop
 * over it runs in vector instructions, unlike {@link Math#tanh}, and gives the same bits
 * everywhere.
 *
 * <p>See: Loeb, "On rational fraction approximations at discrete points", Convair Aeronautics,
 * 1957; Lawson, "Contributions to the theory of linear least maximum approximation", UCLA, 1961.
 */
final class Tanh {
  static final float LIMIT = 0x1.04be58p+3f; // 8.1
  private static final float P1 = 0x1.13033cp-3f;
  private static final float P2 = 0x1.d1941p-9f;
  private static final float P3 = 0x1.69a30ep-16f;
  private static final float P4 = 0x1.f97a4ap-27f;
  private static final float Q1 = 0x1.ded6fp-2f;
  private static final float Q2 = 0x1.ab7a1p-6f;
  private static final float Q3 = 0x1.62473p-12f;
  private static final float Q4 = 0x1.bebe6ep-21f;

  private Tanh() {}

  static float of(float x) {
    float limited = Math.max(-LIMIT, Math.min(LIMIT, x));
    float square = limited * limited;
    float p = Math.fma(square, P4, P3);
    p = Math.fma(square, p, P2);
    p = Math.fma(square, p, P1);
    p = Math.fma(square, p, 1);
    float q = Math.fma(square, Q4, Q3);
    q = Math.fma(square, q, Q2);
    q = Math.fma(square, q, Q1);
    q = Math.fma(square, q, 1);
    return limited * p / q;
  }

  /** {@code y = tanh(x)} for whole rows. */
  static void of(float[] y, float[] x) {
    if (Factor.VECTORS && Tangent.fit(y.length)) {
      Tangent.of(y, x);
      return;
    }
    for (int j = 0; j < y.length; j++) {
      y[j] = of(x[j]);
    }
  }

  /** {@code 1 / (1 + e^-x)}. */
  static float sigmoid(float x) {
    return Math.fma(0.5f, of(0.5f * x), 0.5f);
  }
}
