package io.quantail.kernel;

import io.quantail.simd.Tangent;

/**
 * The hyperbolic tangent as a quotient of polynomials, {@code x P(x²) / Q(x²)} on [-9, 9].
 *
 * <p>Beyond 9 a float cannot tell it from 1. The coefficients minimise the largest relative error
 * (least squares on a quotient, reweighted until the peaks are level), which is 7e-9 before
 * rounding; {@code TanhTest} pins what is left after it. Only additions, products and one division:
 * a loop over it runs in vector instructions, unlike {@link Math#tanh}, and gives the same bits
 * everywhere.
 *
 * <p>See: Loeb, "On rational fraction approximations at discrete points", Convair Aeronautics,
 * 1957; Lawson, "Contributions to the theory of linear least maximum approximation", UCLA, 1961.
 */
final class Tanh {
  private static final float LIMIT = 9;
  private static final float P1 = 0x1.0bf5ep-3f;
  private static final float P2 = 0x1.96d752p-9f;
  private static final float P3 = 0x1.764652p-17f;
  private static final float P4 = -0x1.5b7686p-26f;
  private static final float P5 = 0x1.d03e78p-35f;
  private static final float P6 = -0x1.7e4916p-44f;
  private static final float Q1 = 0x1.db504p-2f;
  private static final float Q2 = 0x1.915424p-6f;
  private static final float Q3 = 0x1.0afb5ep-12f;

  private Tanh() {}

  static float of(float x) {
    float limited = Math.max(-LIMIT, Math.min(LIMIT, x));
    float square = limited * limited;
    float p = Math.fma(square, P6, P5);
    p = Math.fma(square, p, P4);
    p = Math.fma(square, p, P3);
    p = Math.fma(square, p, P2);
    p = Math.fma(square, p, P1);
    p = Math.fma(square, p, 1);
    float q = Math.fma(square, Q3, Q2);
    q = Math.fma(square, q, Q1);
    q = Math.fma(square, q, 1);
    return Math.max(-1, Math.min(1, limited * p / q)); // rounding could step over 1
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
