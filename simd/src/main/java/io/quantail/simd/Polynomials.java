package io.quantail.simd;

import static io.quantail.simd.Lanes.all;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;

/** Functions of eight numbers, for the loops of this package, into which they are inlined. */
final class Polynomials {
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

  private Polynomials() {}

  /** The hyperbolic tangent as a quotient of polynomials. */
  static FloatVector tanh(FloatVector x) {
    FloatVector limited = limited(x, LIMIT);
    FloatVector square = limited.mul(limited);
    FloatVector p = square.fma(all(P6), all(P5));
    p = square.fma(p, all(P4));
    p = square.fma(p, all(P3));
    p = square.fma(p, all(P2));
    p = square.fma(p, all(P1));
    p = square.fma(p, all(1));
    FloatVector q = square.fma(all(Q3), all(Q2));
    q = square.fma(q, all(Q1));
    q = square.fma(q, all(1));
    return limited(limited.mul(p).div(q), 1);
  }

  /**
   * In [-limit, limit]; with comparisons, because min and max of vectors take three times as long.
   */
  private static FloatVector limited(FloatVector x, float limit) {
    FloatVector high = all(limit);
    FloatVector low = all(-limit);
    FloatVector below = x.blend(high, x.compare(GT, high));
    return below.blend(low, below.compare(LT, low));
  }
}
