package io.quantail.kernel;

import io.quantail.simd.Tangent;

/**
 * A function of one number, applied to whole rows, with its derivative.
 *
 * <p>SiLU and tangent run on {@link Tangent} where the JVM offers vector instructions: the same
 * bits. Pinned by libtorch's operators as twins and by finite differences in {@code
 * NonlinearityTest}.
 */
public enum Nonlinearity {
  /** {@code x sigmoid(x)}. */
  SILU {
    @Override
    void apply(float[] y, float[] x) {
      if (vectors(y)) {
        Tangent.silu(y, x);
        return;
      }
      for (int j = 0; j < y.length; j++) {
        y[j] = x[j] * Tanh.sigmoid(x[j]);
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      if (vectors(dy)) {
        Tangent.differentiateSilu(dy, x);
        return;
      }
      for (int j = 0; j < dy.length; j++) {
        float s = Tanh.sigmoid(x[j]);
        dy[j] *= Math.fma(x[j] * s, 1 - s, s);
      }
    }
  },

  /** {@code max(x, 0)}. */
  RELU {
    @Override
    void apply(float[] y, float[] x) {
      for (int j = 0; j < y.length; j++) {
        y[j] = Math.max(x[j], 0);
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      for (int j = 0; j < dy.length; j++) {
        dy[j] = x[j] > 0 ? dy[j] : 0;
      }
    }
  },

  /** The hyperbolic tangent. */
  TANH {
    @Override
    void apply(float[] y, float[] x) {
      if (vectors(y)) {
        Tangent.of(y, x);
        return;
      }
      for (int j = 0; j < y.length; j++) {
        y[j] = Tanh.of(x[j]);
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      for (int j = 0; j < dy.length; j++) {
        float t = Tanh.of(x[j]);
        dy[j] *= 1 - t * t;
      }
    }
  },

  /** {@code x} for positive x, else {@code x / 100}. */
  LEAKY_RELU {
    @Override
    void apply(float[] y, float[] x) {
      for (int j = 0; j < y.length; j++) {
        y[j] = Math.max(x[j], LEAK * x[j]);
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      for (int j = 0; j < dy.length; j++) {
        dy[j] *= x[j] > 0 ? 1 : LEAK;
      }
    }
  },

  /** {@code x} for positive x, else {@code e^x - 1}. */
  ELU {
    @Override
    void apply(float[] y, float[] x) {
      for (int j = 0; j < y.length; j++) {
        y[j] = x[j] > 0 ? x[j] : (float) StrictMath.expm1(x[j]);
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      for (int j = 0; j < dy.length; j++) {
        dy[j] *= x[j] > 0 ? 1 : (float) StrictMath.exp(x[j]);
      }
    }
  },

  /** {@code x Phi(x)} with the distribution function of the standard normal. */
  GELU {
    @Override
    void apply(float[] y, float[] x) {
      for (int j = 0; j < y.length; j++) {
        y[j] = (float) (x[j] * normalDistribution(x[j]));
      }
    }

    @Override
    void differentiate(float[] dy, float[] x) {
      for (int j = 0; j < dy.length; j++) {
        dy[j] *= (float) (normalDistribution(x[j]) + x[j] * normalDensity(x[j]));
      }
    }
  };

  private static final float LEAK = 0.01f;
  private static final double FARTHEST = 8;

  private static boolean vectors(float[] row) {
    return Factor.VECTORS && Tangent.fit(row.length);
  }

  /** {@code y = f(x)}. */
  abstract void apply(float[] y, float[] x);

  /** {@code dy = dy f'(x)}. */
  abstract void differentiate(float[] dy, float[] x);

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
