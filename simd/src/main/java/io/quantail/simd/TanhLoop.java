package io.quantail.simd;

import static io.quantail.simd.VectorLanes.COUNT;
import static io.quantail.simd.VectorLanes.all;
import static io.quantail.simd.VectorLanes.load;
import static io.quantail.simd.VectorMath.tanh;

import jdk.incubator.vector.FloatVector;

/**
 * The hyperbolic tangent, and functions based on it, over whole rows.
 *
 * <p>Vector form, with the same bits, of {@code io.quantail.kernel.TanhApproximation}; rows must
 * have a multiple of eight numbers.
 */
public final class TanhLoop {
  private TanhLoop() {}

  /** Whether a row of this length can be computed. */
  public static boolean fit(int length) {
    return length % COUNT == 0;
  }

  /** {@code y = tanh(x)}. */
  public static void of(float[] y, float[] x) {
    for (int j = 0; j < y.length; j += COUNT) {
      tanh(load(x, j)).intoArray(y, j);
    }
  }

  /** {@code y = factor tanh(factor y) + offset}. */
  public static void activate(float[] y, float[] factor, float[] offset) {
    for (int j = 0; j < y.length; j += COUNT) {
      FloatVector scale = load(factor, j);
      scale.fma(tanh(scale.mul(load(y, j))), load(offset, j)).intoArray(y, j);
    }
  }

  /** {@code y = x sigmoid(x)}, and x becomes the derivative of y. */
  public static void siluWithSlope(float[] y, float[] x) {
    FloatVector half = all(0.5f);
    FloatVector one = all(1);
    for (int j = 0; j < y.length; j += COUNT) {
      FloatVector v = load(x, j);
      FloatVector s = half.fma(tanh(half.mul(v)), half);
      FloatVector product = v.mul(s);
      product.intoArray(y, j);
      product.fma(one.sub(s), s).intoArray(x, j);
    }
  }
}
