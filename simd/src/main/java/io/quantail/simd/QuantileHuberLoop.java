package io.quantail.simd;

import static io.quantail.simd.VectorLanes.COUNT;
import static io.quantail.simd.VectorLanes.all;
import static io.quantail.simd.VectorLanes.load;
import static jdk.incubator.vector.VectorOperators.GT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * The quantile regression loss of the critics.
 *
 * <p>Vector form, with the same bits, of the loop in {@code io.quantail.kernel.QuantileHuberLoss};
 * there must be a multiple of eight quantiles.
 */
public final class QuantileHuberLoop {
  private QuantileHuberLoop() {}

  /** Whether this number of quantiles can be computed. */
  public static boolean fit(int quantiles) {
    return quantiles % COUNT == 0;
  }

  /**
   * With error {@code u = target - q} and its size clipped at kappa to c: loss {@code w c (|u| - c
   * / 2)} and slope {@code factor w c} with the sign of u, where w is {@code above} for positive u,
   * else {@code below}.
   *
   * @param outputs quantiles from the offset on
   * @param dOutputs receives the slopes at the same offset
   */
  public static void evaluate(
      float[] outputs,
      int offset,
      float target,
      float kappa,
      float factor,
      float[] above,
      float[] below,
      float[] losses,
      float[] dOutputs) {
    FloatVector goal = all(target);
    FloatVector limit = all(kappa);
    FloatVector half = all(0.5f);
    FloatVector zero = all(0);
    FloatVector scale = all(factor);
    for (int j = 0; j < losses.length; j += COUNT) {
      FloatVector u = goal.sub(load(outputs, offset + j));
      VectorMask<Float> positive = u.compare(GT, zero);
      FloatVector size = zero.sub(u).blend(u, positive);
      FloatVector clipped = size.blend(limit, size.compare(GT, limit));
      FloatVector weight = load(below, j).blend(load(above, j), positive);
      weight.mul(clipped.mul(size.sub(half.mul(clipped)))).intoArray(losses, j);
      FloatVector slope = weight.mul(clipped);
      scale.mul(zero.sub(slope).blend(slope, positive)).intoArray(dOutputs, offset + j);
    }
  }
}
