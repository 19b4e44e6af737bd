package io.quantail.kernel;

import io.quantail.simd.TanhLoop;

/**
 * A function of one number, applied to whole rows, with its derivative.
 *
 * <p>SiLU and tangent run on {@link TanhLoop} where the JVM offers vector instructions: the same
 * bits. Pinned by the definitions in double precision and their finite differences in {@code
 * ActivationFunctionTest}.
 */
public enum ActivationFunction {
  /** {@code x sigmoid(x)}. */
  SILU {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      if (PackedMatrix.VECTORS && TanhLoop.fit(y.length)) {
        TanhLoop.siluWithSlope(y, x);
        return;
      }
      for (int j = 0; j < y.length; j++) {
        float s = TanhApproximation.sigmoid(x[j]);
        y[j] = x[j] * s;
        x[j] = Math.fma(x[j] * s, 1 - s, s);
      }
    }
  },

  /** {@code max(x, 0)}. */
  RELU {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      for (int j = 0; j < x.length; j++) {
        y[j] = Math.max(x[j], 0);
        x[j] = x[j] > 0 ? 1 : 0;
      }
    }
  },

  /** The hyperbolic tangent. */
  TANH {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      TanhApproximation.of(y, x);
      for (int j = 0; j < x.length; j++) {
        x[j] = 1 - y[j] * y[j];
      }
    }
  },

  /** {@code x} for positive x, else {@code x / 100}. */
  LEAKY_RELU {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      for (int j = 0; j < x.length; j++) {
        y[j] = Math.max(x[j], LEAK * x[j]);
        x[j] = x[j] > 0 ? 1 : LEAK;
      }
    }
  },

  /** {@code x} for positive x, else {@code e^x - 1}. */
  ELU {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      for (int j = 0; j < x.length; j++) {
        y[j] = x[j] > 0 ? x[j] : (float) StrictMath.expm1(x[j]);
        x[j] = x[j] > 0 ? 1 : (float) StrictMath.exp(x[j]);
      }
    }
  },

  /** {@code x Phi(x)} with the distribution function of the standard normal. */
  GELU {
    @Override
    void applyWithSlope(float[] y, float[] x) {
      for (int j = 0; j < x.length; j++) {
        double distribution = normalDistribution(x[j]);
        y[j] = (float) (x[j] * distribution);
        x[j] = (float) (distribution + x[j] * normalDensity(x[j]));
      }
    }
  };

  private static final float LEAK = 0.01f;
  private static final double FARTHEST = 8;

  /** {@code y = f(x)}, and x becomes {@code f'(x)}. */
  abstract void applyWithSlope(float[] y, float[] x);

  private static double normalDensity(double x) {
    return StrictMath.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }

  /**
   * {@code 1/2 + density(x) (x + x³/3 + x⁵/15 + ...)}.
   *
   * <p>See: Marsaglia, "Evaluating the normal distribution", Journal of Statistical Software, 2004.
   */
  private static double normalDistribution(double x) {
    if (!(Math.abs(x) < FARTHEST)) {
      return x > 0 ? 1 : x < 0 ? 0 : x;
    }
    double term = x;
    double sum = x;
    for (int i = 3; Math.abs(term) > Math.ulp(sum); i += 2) {
      term *= x * x / i;
      sum += term;
    }
    return 0.5 + sum * normalDensity(x);
  }
}
