package io.quantail.simd;

import static io.quantail.simd.TanhCoefficients.LIMIT;
import static io.quantail.simd.TanhCoefficients.P1;
import static io.quantail.simd.TanhCoefficients.P2;
import static io.quantail.simd.TanhCoefficients.P3;
import static io.quantail.simd.TanhCoefficients.P4;
import static io.quantail.simd.TanhCoefficients.Q1;
import static io.quantail.simd.TanhCoefficients.Q2;
import static io.quantail.simd.TanhCoefficients.Q3;
import static io.quantail.simd.TanhCoefficients.Q4;
import static io.quantail.simd.VectorLanes.all;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;

/** Functions of eight numbers, for the loops of this package, into which they are inlined. */
final class VectorMath {

  private VectorMath() {}

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

  /** Limits values by comparisons, because min and max of vectors take three times as long. */
  private static FloatVector limited(FloatVector x) {
    FloatVector high = all(LIMIT);
    FloatVector low = all(-LIMIT);
    FloatVector below = x.blend(high, x.compare(GT, high));
    return below.blend(low, below.compare(LT, low));
  }
}
