package io.quantail.kernel;

import io.quantail.simd.QuantileHuberLoop;

/**
 * The Huber loss of quantiles against one target, with its derivatives.
 *
 * <p>With {@code u = target - q}, {@code g = clip(u, -kappa, kappa)}: the loss of a quantile is
 * {@code tau h(u)} where u is positive and {@code (1 - tau) h(u)} where it is negative, {@code h =
 * |g| (|u| - |g| / 2)}, and its derivative by q is {@code -tau g} or {@code -(1 - tau) g}. The loss
 * is not divided by kappa.
 *
 * <p>{@link QuantileHuberLoop} computes it where the JVM offers vector instructions; {@code
 * QuantileHuberLossTest} pins that it gives the same bits.
 *
 * @param kappa where the loss becomes linear
 * @param above tau of each quantile
 * @param below 1 - tau of each quantile
 */
public record QuantileHuberLoss(float kappa, float[] above, float[] below) {

  /**
   * Computes losses and derivatives.
   *
   * @param outputs quantiles from the offset on
   * @param factor that multiplies the derivative with respect to u
   * @param losses receives the loss of each quantile
   * @param dOutputs receives factor times the derivative with respect to u, at the same offset
   */
  public void evaluate(
      float[] outputs, int offset, float target, float factor, float[] losses, float[] dOutputs) {
    if (PackedMatrix.VECTORS && QuantileHuberLoop.fit(losses.length)) {
      QuantileHuberLoop.evaluate(
          outputs, offset, target, kappa, factor, above, below, losses, dOutputs);
    } else {
      evaluatePlainly(outputs, offset, target, factor, losses, dOutputs);
    }
  }

  void evaluatePlainly(
      float[] outputs, int offset, float target, float factor, float[] losses, float[] dOutputs) {
    for (int i = 0; i < losses.length; i++) {
      float u = target - outputs[offset + i];
      float size = Math.abs(u);
      float clipped = size > kappa ? kappa : size;
      float weight = u > 0 ? above[i] : below[i];
      losses[i] = weight * (clipped * (size - 0.5f * clipped));
      float slope = weight * clipped;
      dOutputs[offset + i] = factor * (u > 0 ? slope : 0 - slope);
    }
  }
}
