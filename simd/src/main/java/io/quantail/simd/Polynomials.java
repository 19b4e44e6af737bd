package io.quantail.simd;

import static io.quantail.simd.Lanes.all;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;

/** Functions of eight numbers, for the loops of this package, into which they are inlined. */
final class Polynomials {
  private static final float LIMIT = 0x1.04be58p+3f;
  private static final float P1 = 0x1.13033cp-3f;
  private static final float P2 = 0x1.d1941p-9f;
  private static final float P3 = 0x1.69a30ep-16f;
  private static final float P4 = 0x1.f97a4ap-27f;
  private static final float Q1 = 0x1.ded6fp-2f;
  private static final float Q2 = 0x1.ab7a1p-6f;
  private static final float Q3 = 0x1.62473p-12f;
  private static final float Q4 = 0x1.bebe6ep-21f;

  private Polynomials() {}

  /** The hyperbolic tangent as a quotient of polynomials. */
  static FloatVector tanh(FloatVector x) {
    FloatVector limited = limited(x);
    FloatVector square = limited.mul(limited);
    FloatVector p = square.fma(all(P4), all(P3));
    p = square.fma(p, all(P2));
    p = square.fma(p, all(P1));
    p = square.fma(p, all(1));
    FloatVector q = square.fma(all(Q4), all(Q3));
    q = square.fma(q, all(Q2));
    q = square.fma(q, all(Q1));
    q = square.fma(q, all(1));
    return limited.mul(p).div(q);
  }

  /** Cut off with comparisons, because min and max of vectors take three times as long. */
  private static FloatVector limited(FloatVector x) {
    FloatVector high = all(LIMIT);
    FloatVector low = all(-LIMIT);
    FloatVector below = x.blend(high, x.compare(GT, high));
    return below.blend(low, below.compare(LT, low));
  }
}
