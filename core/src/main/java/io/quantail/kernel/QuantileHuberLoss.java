package io.quantail.kernel;

import io.quantail.simd.QuantileHuberLoop;
import java.util.Arrays;

/**
 * The quantile regression loss of N quantiles against K particles, with its derivatives.
 *
 * <p>With {@code u = x_k - q_i}: {@code L = mean_{i,k} |tau_i - 1{u < 0}| h(u)}, where {@code h(u)}
 * is {@code |u|} at kappa 0 and else {@code u² / (2 kappa)} up to kappa and {@code |u| - kappa / 2}
 * beyond. At kappa 0, {@code N dL/dq_i} is the share of particles below {@code q_i} less {@code
 * tau_i}; where u is 0 the slope is 0.
 *
 * <p>See: Dabney, Rowland, Bellemare, Munos, "Distributional reinforcement learning with quantile
 * regression", AAAI 2018, arXiv:1710.10044. {@link QuantileHuberLoop} computes it where the JVM
 * offers vector instructions; {@code QuantileHuberLossTest} pins that it gives the same bits. The
 * object has scratch arrays and serves one thread at a time.
 */
public final class QuantileHuberLoss {
  /** Quantiles that a vector loop handles at once; the loop itself may be missing. */
  private static final int LANES = 8;

  private final int count;
  private final float kappa;
  private final float[] above; // tau of each quantile; all arrays are padded for vectors
  private final float[] below; // 1 - tau
  private final float[] quantiles;
  private final float[] losses;
  private final float[] slopes;

  /**
   * @param levels tau of each quantile
   * @param kappa where the loss becomes linear, at least 0
   */
  public QuantileHuberLoss(double[] levels, double kappa) {
    count = levels.length;
    this.kappa = (float) kappa;
    int size = (count + LANES - 1) / LANES * LANES;
    above = new float[size];
    below = new float[size];
    for (int i = 0; i < count; i++) {
      above[i] = (float) levels[i];
      below[i] = (float) (1 - levels[i]);
    }
    quantiles = new float[size];
    losses = new float[size];
    slopes = new float[size];
  }

  /**
   * The loss of one sample.
   *
   * @param outputs quantiles from the offset on
   * @param particles of which {@code number} from index {@code from} on are the targets
   * @param weight that multiplies the derivatives
   * @param dOutputs receives {@code weight} times the derivative by each quantile, at the offset
   */
  public double evaluate(
      float[] outputs,
      int offset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs) {
    System.arraycopy(outputs, offset, quantiles, 0, count);
    if (!PackedMatrix.VECTORS) {
      evaluatePlainly(particles, from, number);
    } else if (kappa == 0) {
      QuantileHuberLoop.pinball(quantiles, particles, from, number, above, below, losses, slopes);
    } else {
      QuantileHuberLoop.huber(
          quantiles, particles, from, number, kappa, above, below, losses, slopes);
    }
    return collect(offset, number, weight, dOutputs);
  }

  /** The mean loss; writes the derivatives. */
  private double collect(int offset, int number, double weight, float[] dOutputs) {
    float factor = (float) (-weight / ((double) count * number));
    for (int i = 0; i < count; i++) {
      dOutputs[offset + i] = factor * slopes[i];
    }
    return FloatVectors.sum(losses) / ((double) count * number);
  }

  /** Without vector instructions. */
  double evaluatePlainly(
      float[] outputs,
      int offset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs) {
    System.arraycopy(outputs, offset, quantiles, 0, count);
    evaluatePlainly(particles, from, number);
    return collect(offset, number, weight, dOutputs);
  }

  private void evaluatePlainly(float[] particles, int from, int number) {
    Arrays.fill(losses, 0);
    Arrays.fill(slopes, 0);
    float inverse = 1 / kappa;
    float half = 0.5f * kappa;
    for (int i = 0; i < losses.length; i++) {
      for (int k = from; k < from + number; k++) {
        float u = particles[k] - quantiles[i];
        if (kappa == 0) {
          float slope = u > 0 ? above[i] : u < 0 ? 0 - below[i] : 0;
          slopes[i] += slope;
          losses[i] += slope * u;
        } else {
          float size = u > 0 ? u : 0 - u;
          float share = size * inverse;
          float clipped = share > 1 ? 1 : share;
          float slope = (u > 0 ? above[i] : below[i]) * clipped;
          losses[i] += slope * (size - half * clipped);
          slopes[i] += u > 0 ? slope : 0 - slope;
        }
      }
    }
  }
}
