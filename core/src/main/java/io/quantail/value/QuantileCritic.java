package io.quantail.value;

import io.quantail.config.RiskConfig;
import io.quantail.kernel.QuantileHuberLoss;
import io.quantail.math.StandardNormal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of returns as N equally likely quantiles at the mid-point levels {@code tau_i = (i
 * + 0.5) / N}, and the expected return as an output of its own, the mean head.
 *
 * <p>The quantiles are trained with {@link QuantileHuberLoss} against particles, the mean head m
 * with {@code (m - R)² / 2} against the return: N quantiles cannot see an outcome rarer than
 * 1/(2N), and a mean that misses it in some states biases advantages. Without a mean head m is the
 * mean of the quantiles.
 *
 * <p>Read as a distribution D, the quantiles are sorted, because a network may let them cross. D is
 * linear between the mid-point levels; below the lowest one, at {@code v < 1/(2N)}, it has an
 * exponential tail through the two lowest quantiles, {@code q_0 + (q_1 - q_0) / ln 3 ln(2Nv)}, and
 * the mirror image above. Finally D is moved onto m.
 *
 * <p>See: Dabney, Rowland, Bellemare, Munos, "Distributional reinforcement learning with quantile
 * regression", AAAI 2018, arXiv:1710.10044; {@code docs/results/distribution.md} for tails and mean
 * head. Pinned by the vectors {@code quantile_*}, {@code set_loss_*}, {@code
 * draw_quantile_with_tails} and {@code cvar_with_tails}.
 */
public final class QuantileCritic implements Critic {
  private static final double LN_3 = Math.log(3);

  /** Draws go no deeper into a tail than the level {@code LEAST_SHARE / (2N)}. */
  private static final double LEAST_SHARE = 0.001;

  private final int count;
  private final double kappa;
  private final boolean meanHead;
  private final QuantileHuberLoss loss;
  private final float[] sorted;
  private final int[] ranked; // indices of the quantiles, ascending by value
  private double lowGap; // of the tails of the distribution that was read
  private double highGap;
  private double pointMean; // mean of the quantiles
  private double tailMean; // mean of the distribution with tails, before it is moved
  private double mean;
  private double[] weights = {}; // of the sorted quantiles in the CVaR that was computed last
  private double[] meanWeights = {}; // of the sorted quantiles in the mean of the same reading
  private double weightsAlpha;
  private RiskConfig.@Nullable CvarMethod weightsMethod;

  /** A critic without a mean head. */
  public QuantileCritic(int quantiles, double kappa) {
    this(quantiles, kappa, false);
  }

  /**
   * @param quantiles number of quantiles, at least 1
   * @param kappa where the loss turns from quadratic to linear, at least 0
   * @param meanHead whether the output after the quantiles is the expected return
   */
  public QuantileCritic(int quantiles, double kappa, boolean meanHead) {
    this.count = quantiles;
    this.kappa = kappa;
    this.meanHead = meanHead;
    loss = new QuantileHuberLoss(levels(quantiles), kappa);
    sorted = new float[quantiles];
    ranked = new int[quantiles];
  }

  @Override
  public Critic another() {
    return new QuantileCritic(count, kappa, meanHead);
  }

  /** The levels of the quantiles. */
  public double[] levels() {
    return levels(count);
  }

  private static double[] levels(int quantiles) {
    double[] levels = new double[quantiles];
    Arrays.setAll(levels, i -> (i + 0.5) / quantiles);
    return levels;
  }

  @Override
  public int points() {
    return count;
  }

  @Override
  public boolean hasMeanHead() {
    return meanHead;
  }

  @Override
  public boolean outputsAreReturns() {
    return true;
  }

  /** The quantiles of a normal distribution with mean 0 and deviation 1. */
  @Override
  public double[] startingOutputs() {
    return Arrays.stream(levels()).map(StandardNormal::quantile).toArray();
  }

  @Override
  public double mean(float[] outputs, int offset) {
    return meanHead ? outputs[offset + count] : centre(outputs, offset);
  }

  /** The mean of the quantiles. */
  @Override
  public double centre(float[] outputs, int offset) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += outputs[offset + i];
    }
    return sum / count;
  }

  @Override
  public void addCentreGradient(float[] outputs, int offset, double factor, float[] dOutputs) {
    float slope = (float) (factor / count);
    for (int i = 0; i < count; i++) {
      dOutputs[offset + i] += slope;
    }
  }

  @Override
  public void read(float[] outputs, int offset) {
    System.arraycopy(outputs, offset, sorted, 0, count);
    sort();
    lowGap = count == 1 ? 0 : ((double) sorted[1] - sorted[0]) / LN_3;
    highGap = count == 1 ? 0 : ((double) sorted[count - 1] - sorted[count - 2]) / LN_3;
    pointMean = centre(outputs, offset);
    tailMean = pointMean + (highGap - lowGap) / (2 * count);
    mean = mean(outputs, offset);
  }

  /** Insertion: the outputs of a trained head are nearly sorted already. */
  private void sort() {
    for (int i = 1; i < count; i++) {
      float value = sorted[i];
      int place = i;
      while (place > 0 && sorted[place - 1] > value) {
        sorted[place] = sorted[place - 1];
        place--;
      }
      sorted[place] = value;
    }
  }

  @Override
  public double quantile(double level) {
    double position = level * count - 0.5; // among the quantiles
    double value;
    if (position < 0) {
      value = sorted[0] + lowGap * logShare(2 * count * level);
    } else if (position > count - 1) {
      value = sorted[count - 1] - highGap * logShare(2 * count * (1 - level));
    } else {
      int below = (int) position;
      double low = sorted[below];
      value = low + (sorted[Math.min(below + 1, count - 1)] - low) * (position - below);
    }
    return value + mean - tailMean;
  }

  private static double logShare(double share) {
    return StrictMath.log(Math.max(share, LEAST_SHARE));
  }

  @Override
  public double draw(double level) {
    return quantile(level);
  }

  /** A value on a run of equal quantiles has the middle of their levels. */
  @Override
  public double level(double value) {
    double x = value - (mean - tailMean);
    if (!Double.isFinite(x)) {
      return Double.NaN;
    }
    if (x < sorted[0]) {
      return lowGap == 0 ? 0 : StrictMath.exp((x - sorted[0]) / lowGap) / (2 * count);
    }
    if (x > sorted[count - 1]) {
      return highGap == 0 ? 1 : 1 - StrictMath.exp((sorted[count - 1] - x) / highGap) / (2 * count);
    }
    int first = 0; // the lowest quantile that is not below x
    while (sorted[first] < x) {
      first++;
    }
    int last = first; // the highest one that is not above x
    while (last + 1 < count && sorted[last + 1] <= x) {
      last++;
    }
    double position =
        sorted[first] > x
            ? first - (sorted[first] - x) / (sorted[first] - sorted[first - 1])
            : 0.5 * (first + last);
    return (position + 0.5) / count;
  }

  /** The distance between the mean and that of the quantiles with their tails. */
  @Override
  public double meanGap() {
    return Math.abs(mean - tailMean);
  }

  /** The fraction of neighbouring quantiles whose order is reversed. */
  @Override
  public double irregularity(float[] outputs, int offset) {
    int crossed = 0;
    for (int i = 1; i < count; i++) {
      crossed += outputs[offset + i] < outputs[offset + i - 1] ? 1 : 0;
    }
    return count == 1 ? 0 : (double) crossed / (count - 1);
  }

  @Override
  public double cvar(double alpha, RiskConfig.CvarMethod method) {
    weigh(alpha, method);
    double sum = mean - (method == RiskConfig.CvarMethod.TAILS ? tailMean : pointMean);
    for (int i = 0; i < count; i++) {
      sum += weights[i] * sorted[i];
    }
    return sum;
  }

  /** The derivative by a quantile is the weight of its rank, less that in the mean. */
  @Override
  public double cvar(
      float[] outputs, int offset, double alpha, RiskConfig.CvarMethod method, float[] slopes) {
    weigh(alpha, method);
    rank(outputs, offset);
    double sum = mean(outputs, offset);
    for (int rank = 0; rank < count; rank++) {
      int place = offset + ranked[rank];
      double weight = weights[rank] - meanWeights[rank];
      sum += weight * outputs[place];
      slopes[place] = (float) (weight + (meanHead ? 0 : 1.0 / count));
    }
    if (meanHead) {
      slopes[offset + count] = 1;
    }
    return sum;
  }

  private void weigh(double alpha, RiskConfig.CvarMethod method) {
    if (alpha != weightsAlpha || method != weightsMethod) {
      weights = Cvar.weights(count, alpha, method);
      meanWeights = Cvar.weights(count, 1, method);
      weightsAlpha = alpha;
      weightsMethod = method;
    }
  }

  private void rank(float[] outputs, int offset) {
    for (int i = 0; i < count; i++) {
      float value = outputs[offset + i];
      int place = i;
      while (place > 0 && outputs[offset + ranked[place - 1]] > value) {
        ranked[place] = ranked[place - 1];
        place--;
      }
      ranked[place] = i;
    }
  }

  @Override
  public double loss(
      float[] outputs,
      int offset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs) {
    return loss.evaluate(outputs, offset, particles, from, number, weight, dOutputs);
  }

  @Override
  public double meanLoss(
      float[] outputs, int offset, float target, double weight, float[] dOutputs) {
    if (!meanHead) {
      return 0;
    }
    double error = (double) outputs[offset + count] - target;
    dOutputs[offset + count] = (float) (weight * error);
    return 0.5 * error * error;
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
