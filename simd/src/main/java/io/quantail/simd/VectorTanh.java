package io.quantail.simd;

import static io.quantail.simd.Lanes.all;

import jdk.incubator.vector.FloatVector;

/** The quotient of polynomials of {@code io.quantail.kernel.Tanh}, eight at a time. */
final class VectorTanh {
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

  private VectorTanh() {}

  static FloatVector of(FloatVector x) {
    FloatVector limited = x.min(LIMIT).max(-LIMIT);
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
    return limited.mul(p).div(q).min(1).max(-1);
  }

  static FloatVector sigmoid(FloatVector x) {
    return of(x.mul(0.5f)).fma(all(0.5f), all(0.5f));
  }
}
