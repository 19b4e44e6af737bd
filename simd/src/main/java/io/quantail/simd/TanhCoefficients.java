package io.quantail.simd;

/** Coefficients of the hyperbolic tangent, {@code x P(x²) / Q(x²)} up to a limit. */
public final class TanhCoefficients {
  /** The argument at which the quotient is 1. */
  public static final float LIMIT = 0x1.04be58p+3f;

  public static final float P1 = 0x1.13033cp-3f;
  public static final float P2 = 0x1.d1941p-9f;
  public static final float P3 = 0x1.69a30ep-16f;
  public static final float P4 = 0x1.f97a4ap-27f;
  public static final float Q1 = 0x1.ded6fp-2f;
  public static final float Q2 = 0x1.ab7a1p-6f;
  public static final float Q3 = 0x1.62473p-12f;
  public static final float Q4 = 0x1.bebe6ep-21f;

  private TanhCoefficients() {}
}
