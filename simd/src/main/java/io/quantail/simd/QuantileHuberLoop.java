package io.quantail.simd;

import static io.quantail.simd.VectorLanes.COUNT;
import static io.quantail.simd.VectorLanes.all;
import static io.quantail.simd.VectorLanes.load;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/**
 * The quantile regression loss of the critics against a set of particles.
 *
 * <p>Vector form, with the same bits, of the loops in {@code io.quantail.kernel.QuantileHuberLoss};
 * there must be a multiple of eight quantiles.
 */
public final class QuantileHuberLoop {
  private QuantileHuberLoop() {}

  /**
   * The pinball loss: with {@code u = x - q} the slope of a particle is {@code above} where u is
   * positive, {@code -below} where it is negative and 0 where it is 0; its loss is the slope times
   * u. Sums over the particles.
   */
  public static void pinball(
      float[] quantiles,
      float[] particles,
      int from,
      int count,
      float[] above,
      float[] below,
      float[] losses,
      float[] slopes) {
    FloatVector zero = all(0);
    for (int j = 0; j < losses.length; j += COUNT) {
      FloatVector q = load(quantiles, j);
      FloatVector up = load(above, j);
      FloatVector down = zero.sub(load(below, j));
      FloatVector loss = zero;
      FloatVector slope = zero;
      for (int k = from; k < from + count; k++) {
        FloatVector u = all(particles[k]).sub(q);
        FloatVector one = zero.blend(down, u.compare(LT, zero)).blend(up, u.compare(GT, zero));
        slope = slope.add(one);
        loss = loss.add(one.mul(u));
      }
      loss.intoArray(losses, j);
      slope.intoArray(slopes, j);
    }
  }

  /**
   * The Huber form: with the size of u over kappa limited to 1 as c, loss {@code w c (|u| - c kappa
   * / 2)} and slope {@code w c} with the sign of u, where w is {@code above} for positive u, else
   * {@code below}. Sums over the particles.
   */
  public static void huber(
      float[] quantiles,
      float[] particles,
      int from,
      int count,
      float kappa,
      float[] above,
      float[] below,
      float[] losses,
      float[] slopes) {
    FloatVector zero = all(0);
    FloatVector limit = all(1);
    FloatVector inverse = all(1 / kappa);
    FloatVector half = all(0.5f * kappa);
    for (int j = 0; j < losses.length; j += COUNT) {
      FloatVector q = load(quantiles, j);
      FloatVector up = load(above, j);
      FloatVector down = load(below, j);
      FloatVector loss = zero;
      FloatVector slope = zero;
      for (int k = from; k < from + count; k++) {
        FloatVector u = all(particles[k]).sub(q);
        VectorMask<Float> positive = u.compare(GT, zero);
        FloatVector size = zero.sub(u).blend(u, positive);
        FloatVector share = size.mul(inverse);
        FloatVector clipped = share.blend(limit, share.compare(GT, limit));
        FloatVector weight = down.blend(up, positive).mul(clipped);
        loss = loss.add(weight.mul(size.sub(half.mul(clipped))));
        slope = slope.add(zero.sub(weight).blend(weight, positive));
      }
      loss.intoArray(losses, j);
      slope.intoArray(slopes, j);
    }
  }
}
