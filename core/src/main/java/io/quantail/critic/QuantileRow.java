package io.quantail.critic;

import io.quantail.config.CvarMethod;
import io.quantail.kernel.QuantileLoss;
import io.quantail.kernel.Vectors;
import java.util.Arrays;

/** {@link QuantileCritic} for one row. */
final class QuantileRow implements CriticRow {
  private final QuantileLoss loss;
  private final float[] losses;
  private final float[] sorted;
  private double[] weights; // of the sorted quantiles in the CVaR last asked for
  private double weightsAlpha;
  private CvarMethod weightsMethod;

  QuantileRow(QuantileCritic critic) {
    int count = critic.quantiles();
    float[] above = new float[count];
    float[] below = new float[count];
    double[] levels = critic.levels();
    for (int i = 0; i < count; i++) {
      above[i] = (float) levels[i];
      below[i] = (float) (1 - levels[i]);
    }
    loss = new QuantileLoss((float) critic.kappa(), above, below);
    losses = new float[count];
    sorted = new float[count];
  }

  @Override
  public double mean(float[] outputs, int offset) {
    double sum = 0;
    for (int i = 0; i < losses.length; i++) {
      sum += outputs[offset + i];
    }
    return sum / losses.length;
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
    int count = losses.length;
    loss.evaluate(outputs, offset, target, (float) (-weight / count), losses, dOutputs);
    return Vectors.sum(losses) / count;
  }
}
