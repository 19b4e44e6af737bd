package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.kernel.Vectors;
import io.quantail.simd.Huber;
import io.quantail.simd.Simd;
import java.util.Arrays;

/**
 * {@link QuantileCritic} for one row.
 *
 * <p>With {@code u = target - q}, {@code g = clip(u, -kappa, kappa)}: the loss of a quantile is
 * {@code tau h(u)} where u is positive and {@code (1 - tau) h(u)} where it is negative, {@code h =
 * |g| (|u| - |g| / 2)}, and its derivative by q is {@code -tau g} or {@code -(1 - tau) g}. Both
 * halves are computed, one of them being zero: a loop without branches is vectorised. {@link Huber}
 * does the same with vector instructions where the JVM offers them; {@code CriticRowTest} pins that
 * it gives the same bits.
 */
final class QuantileRow implements CriticRow {
  private final boolean vectors;
  private final float kappa;
  private final float[] above; // tau
  private final float[] below; // 1 - tau
  private final float[] quantiles;
  private final float[] losses;
  private final float[] slopes;
  private final float[] sorted;
  private double[] weights; // of the sorted quantiles in the CVaR last asked for
  private double weightsAlpha;
  private CvarMethod weightsMethod;

  QuantileRow(QuantileCritic critic) {
    this(critic, Simd.available() && Huber.fit(critic.quantiles()));
  }

  QuantileRow(QuantileCritic critic, boolean vectors) {
    this.vectors = vectors;
    int count = critic.quantiles();
    kappa = (float) critic.kappa();
    above = new float[count];
    below = new float[count];
    double[] levels = critic.levels();
    for (int i = 0; i < count; i++) {
      above[i] = (float) levels[i];
      below[i] = (float) (1 - levels[i]);
    }
    quantiles = new float[count];
    losses = new float[count];
    slopes = new float[count];
    sorted = new float[count];
  }

  @Override
  public double mean(float[] outputs, int offset) {
    double sum = 0;
    for (int i = 0; i < quantiles.length; i++) {
      sum += outputs[offset + i];
    }
    return sum / quantiles.length;
  }

  @Override
  public void look(float[] outputs, int offset) {
    System.arraycopy(outputs, offset, sorted, 0, sorted.length);
    Arrays.sort(sorted);
  }

  @Override
  public double quantile(double level) {
    double position = QuantileCritic.position(level, sorted.length);
    int below = (int) position;
    float low = sorted[below];
    return low + (sorted[Math.min(below + 1, sorted.length - 1)] - low) * (position - below);
  }

  @Override
  public double cvar(double alpha, CvarMethod method) {
    if (weights == null || alpha != weightsAlpha || method != weightsMethod) {
      weights = Cvar.weights(sorted.length, alpha, method);
      weightsAlpha = alpha;
      weightsMethod = method;
    }
    double sum = 0;
    for (int i = 0; i < sorted.length; i++) {
      sum += weights[i] * sorted[i];
    }
    return sum;
  }

  @Override
  public double loss(float[] outputs, int offset, float target, double weight, float[] dOutputs) {
    int count = quantiles.length;
    float factor = (float) (-weight / count);
    if (vectors) {
      Huber.evaluate(outputs, offset, target, kappa, factor, above, below, losses, dOutputs);
    } else {
      System.arraycopy(outputs, offset, quantiles, 0, count);
      evaluate(target, factor);
      System.arraycopy(slopes, 0, dOutputs, offset, count);
    }
    return Vectors.sum(losses) / count;
  }

  private void evaluate(float target, float factor) {
    float[] q = quantiles;
    float limit = kappa;
    for (int i = 0; i < q.length; i++) {
      float u = target - q[i];
      float up = Math.max(u, 0);
      float down = Math.max(-u, 0);
      float upClipped = Math.min(up, limit);
      float downClipped = Math.min(down, limit);
      losses[i] =
          above[i] * (upClipped * (up - 0.5f * upClipped))
              + below[i] * (downClipped * (down - 0.5f * downClipped));
      slopes[i] = factor * (above[i] * upClipped - below[i] * downClipped);
    }
  }
}
