package io.quantail.kernel;

import static io.quantail.simd.TanhCoefficients.LIMIT;
import static io.quantail.simd.TanhCoefficients.P1;
import static io.quantail.simd.TanhCoefficients.P2;
import static io.quantail.simd.TanhCoefficients.P3;
import static io.quantail.simd.TanhCoefficients.P4;
import static io.quantail.simd.TanhCoefficients.Q1;
import static io.quantail.simd.TanhCoefficients.Q2;
import static io.quantail.simd.TanhCoefficients.Q3;
import static io.quantail.simd.TanhCoefficients.Q4;

import io.quantail.simd.TanhLoop;

/**
 * The hyperbolic tangent as a quotient of polynomials, {@code x P(x²) / Q(x²)}, on an interval at
 * whose ends it is 1, and beyond which it stays so.
 *
 * <p>The coefficients minimise the largest relative error up to 8.3 (least squares on a quotient,
 * reweighted until the peaks are level), which is 1e-8 before rounding. Rounding never exceeds 1
 * before the interval ends, so the result needs no clipping; {@code TanhApproximationTest} checks
 * every number there, and pins the remaining accuracy. Only additions, products and one division: a
 * loop over it runs in vector instructions, unlike {@link Math#tanh}, and gives the same bits
 * everywhere.
 *
 * <p>See: Loeb, "On rational fraction approximations at discrete points", Convair Aeronautics,
 * 1957; Lawson, "Contributions to the theory of linear least maximum approximation", UCLA, 1961.
 */
final class TanhApproximation {

  private TanhApproximation() {}

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
    if (PackedMatrix.VECTORS && TanhLoop.fit(y.length)) {
      TanhLoop.of(y, x);
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
