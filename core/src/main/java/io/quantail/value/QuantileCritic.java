package io.quantail.value;

import io.quantail.config.RiskConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.kernel.QuantileHuberLoss;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of returns as N equally likely quantiles at the mid-point levels.
 *
 * <p>{@code tau_i = (i + 0.5) / N}; with {@code u = target - q_i} the loss of a sample is {@code
 * mean_i |tau_i - 1{u < 0}| huber(u)}, where {@code huber(u)} is {@code u^2 / 2} up to kappa and
 * {@code kappa (|u| - kappa / 2)} beyond. Quantiles are sorted before they are read as a
 * distribution, because a network may let them cross.
 *
 * <p>See: Dabney, Rowland, Bellemare, Munos, "Distributional reinforcement learning with quantile
 * regression", AAAI 2018, arXiv:1710.10044. We do not divide the Huber loss by kappa. Pinned by the
 * vectors {@code quantile_*} and {@code sb3_quantile_huber_*}.
 */
public final class QuantileCritic implements Critic {
  private final int count;
  private final double kappa;
  private final QuantileHuberLoss loss;
  private final float[] losses;
  private final float[] sorted;
  private final int[] lowest; // indices of the lowest quantiles, ascending by value
  private double[] weights = {}; // of the sorted quantiles in the CVaR that was computed last
  private int weighted; // how many of them, from the lowest on, are not all zero
  private double weightsAlpha;
  private RiskConfig.@Nullable CvarMethod weightsMethod;

  /**
   * @param quantiles number of quantiles, at least 1
   * @param kappa where the loss turns from quadratic to linear, positive
   */
  public QuantileCritic(int quantiles, double kappa) {
    this.count = quantiles;
    this.kappa = kappa;
    float[] above = new float[quantiles];
    float[] below = new float[quantiles];
    double[] levels = levels();
    for (int i = 0; i < quantiles; i++) {
      above[i] = (float) levels[i];
      below[i] = (float) (1 - levels[i]);
    }
    loss = new QuantileHuberLoss((float) kappa, above, below);
    losses = new float[quantiles];
    sorted = new float[quantiles];
    lowest = new int[quantiles];
  }

  @Override
  public Critic another() {
    return new QuantileCritic(count, kappa);
  }

  /** The levels of the quantiles. */
  public double[] levels() {
    double[] levels = new double[count];
    for (int i = 0; i < count; i++) {
      levels[i] = (i + 0.5) / count;
    }
    return levels;
  }

  @Override
  public int outputs() {
    return count;
  }

  @Override
  public boolean outputsAreReturns() {
    return true;
  }

  @Override
  public double mean(float[] outputs, int offset) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += outputs[offset + i];
    }
    return sum / count;
  }

  @Override
  public void addMeanGradient(float[] outputs, int offset, double factor, float[] dOutputs) {
    float slope = (float) (factor / count);
    for (int i = 0; i < count; i++) {
      dOutputs[offset + i] += slope;
    }
  }

  @Override
  public void read(float[] outputs, int offset) {
    System.arraycopy(outputs, offset, sorted, 0, count);
    Arrays.sort(sorted);
  }

  /** Linear between the mid-point levels, flat beyond the outermost. */
  @Override
  public double quantile(double level) {
    double position = Math.max(0, Math.min(count - 1.0, level * count - 0.5));
    int below = (int) position;
    float low = sorted[below];
    return low + (sorted[Math.min(below + 1, count - 1)] - low) * (position - below);
  }

  /**
   * Linear between the mid-point levels. Below the lowest quantile an exponential tail, {@code
   * exp((x - q0) ln 3 / (q1 - q0)) / (2 N)}; mirrored above. A value on a run of equal quantiles
   * has the middle of their levels, and two equal outermost quantiles have no tail beyond them.
   */
  @Override
  public double level(double value) {
    if (!Double.isFinite(sorted[0]) || !Double.isFinite(sorted[count - 1])) {
      return Double.NaN;
    }
    int below = 0;
    while (below < count && sorted[below] < value) {
      below++;
    }
    int upTo = below;
    while (upTo < count && sorted[upTo] == value) {
      upTo++;
    }
    if (upTo > below) {
      return (below + upTo) / (2.0 * count);
    }
    if (below == 0) {
      return tail(sorted[0] - value, 0);
    }
    if (below == count) {
      return 1 - tail(value - sorted[count - 1], count - 2);
    }
    double low = sorted[below - 1];
    return (below - 0.5 + (value - low) / (sorted[below] - low)) / count;
  }

  /** The probability of a return at least a positive distance beyond an outermost quantile. */
  private double tail(double distance, int gap) {
    double width = count == 1 ? 0 : (double) sorted[gap + 1] - sorted[gap];
    return width == 0 ? 0 : StrictMath.exp(-distance * StrictMath.log(3) / width) / (2 * count);
  }

  @Override
  public double cvar(double alpha, RiskConfig.CvarMethod method) {
    weigh(alpha, method);
    double sum = 0;
    for (int i = 0; i < weighted; i++) {
      sum += weights[i] * sorted[i];
    }
    return sum;
  }

  /** The derivative by a quantile is the weight of its rank. */
  @Override
  public double cvar(
      float[] outputs, int offset, double alpha, RiskConfig.CvarMethod method, float[] slopes) {
    weigh(alpha, method);
    rankLowest(outputs, offset);
    Arrays.fill(slopes, offset, offset + count, 0);
    double sum = 0;
    for (int rank = 0; rank < weighted; rank++) {
      int place = offset + lowest[rank];
      sum += weights[rank] * outputs[place];
      slopes[place] = (float) weights[rank];
    }
    return sum;
  }

  private void weigh(double alpha, RiskConfig.CvarMethod method) {
    if (alpha != weightsAlpha || method != weightsMethod) {
      weights = Cvar.weights(count, alpha, method);
      weightsAlpha = alpha;
      weightsMethod = method;
      weighted = count;
      while (weighted > 0 && weights[weighted - 1] == 0) {
        weighted--;
      }
    }
  }

  /** Insertion of the few lowest: the outputs of a trained head are nearly sorted already. */
  private void rankLowest(float[] outputs, int offset) {
    int ranked = 0;
    for (int i = 0; i < count; i++) {
      float value = outputs[offset + i];
      if (ranked == weighted && !(value < outputs[offset + lowest[ranked - 1]])) {
        continue;
      }
      int rank = ranked < weighted ? ranked++ : ranked - 1;
      while (rank > 0 && value < outputs[offset + lowest[rank - 1]]) {
        lowest[rank] = lowest[rank - 1];
        rank--;
      }
      lowest[rank] = i;
    }
  }

  @Override
  public double loss(float[] outputs, int offset, float target, double weight, float[] dOutputs) {
    loss.evaluate(outputs, offset, target, (float) (-weight / count), losses, dOutputs);
    return FloatVectors.sum(losses) / count;
  }

  @Override
  public void shift(float[] outputs, int offset, double distance, float[] shifted) {
    for (int i = 0; i < count; i++) {
      shifted[i] = (float) (outputs[offset + i] + distance);
    }
  }

  @Override
  public double shiftGradient(
      float[] outputs, int offset, double distance, float[] dShifted, float[] dOutputs) {
    double byDistance = 0;
    for (int i = 0; i < count; i++) {
      dOutputs[offset + i] = dShifted[i];
      byDistance += dShifted[i];
    }
    return byDistance;
  }
}
