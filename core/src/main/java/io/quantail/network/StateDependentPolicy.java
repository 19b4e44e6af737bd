package io.quantail.network;

import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * The Gaussian of generalised state-dependent exploration: the noise of an action is a linear
 * function of the features, drawn once for many steps, so that equal states get equal noise.
 *
 * <p>With features φ (the actor's last hidden layer), action j and trained {@code log σ_ij}: the
 * exploration matrix has {@code θ_ij ~ N(0, σ_ij²)}, the noise is {@code ε_j = Σ_i θ_ij φ_i}, and
 * over all matrices the action is {@code N(μ_j, s_j²)} with {@code s_j² = Σ_i φ_i² σ_ij²}.
 * Log-probability, entropy and KL divergence are those of this Gaussian. {@link DeviationBounds}
 * limits {@code s_j}; the noise is scaled with it, so that draws keep the stated distribution. A
 * sample whose features are all zero has no noise to scale and draws from the stream of its step.
 *
 * <p>The features are constants of the deviation: {@code ds_j / d log σ_ij = φ_i² σ_ij² / s_j}, and
 * no gradient of it reaches the layers below.
 *
 * <p>See: Raffin, Kober, Stulp, "Smooth exploration for robotic reinforcement learning", 2021,
 * arXiv:2005.05719. There the noise is drawn anew after a fixed number of steps; here at the starts
 * of episodes and rollouts. {@code StateDependentPolicyTest} has rows worked by hand. Requirement
 * EXPL-1.
 */
final class StateDependentPolicy extends GaussianPolicy {
  private final int actions;
  private final double[] deviations; // σ, [feature * action]
  private final double[] variances; // σ²
  private final DeviationBounds bounds;
  private final SquashedEntropyTable entropyTable;
  private final double[] squares; // φ²
  private final double[] spreads; // s without bounds
  private final double[] byHalfVariance; // gradient of the sample by s² / 2
  private final double[] gradient; // by σ² / 2 over all samples, [feature * action]
  private float[] features = {};

  /**
   * @param logSigma [feature * action]
   * @param actions number of components of an action
   */
  StateDependentPolicy(float[] logSigma, int actions, DeviationBounds bounds, Squashing squashing) {
    super(new float[actions], squashing);
    this.actions = actions;
    this.bounds = bounds;
    deviations = new double[logSigma.length];
    variances = new double[logSigma.length];
    for (int k = 0; k < logSigma.length; k++) {
      deviations[k] = StrictMath.exp(logSigma[k]);
      variances[k] = deviations[k] * deviations[k];
    }
    entropyTable = new SquashedEntropyTable(squashing);
    squares = new double[logSigma.length / actions];
    spreads = new double[actions];
    byHalfVariance = new double[actions];
    gradient = new double[logSigma.length];
  }

  @Override
  public void set(float[] outputs, float[] newFeatures, boolean[] masks, int maskOffset) {
    mean = outputs;
    features = newFeatures;
    Arrays.fill(spreads, 0);
    for (int i = 0; i < squares.length; i++) {
      squares[i] = (double) newFeatures[i] * newFeatures[i];
      for (int j = 0; j < actions; j++) {
        spreads[j] += squares[i] * variances[i * actions + j];
      }
    }
    for (int j = 0; j < actions; j++) {
      spreads[j] = Math.sqrt(spreads[j]);
      sigma[j] = (float) bounds.apply(spreads[j]);
      logSigma[j] = StrictMath.log(sigma[j]);
    }
  }

  @Override
  double squashingTerm(int j) {
    double expectation = entropyTable.expectation(mean[j], sigma[j]);
    entropyByMean[j] = entropyTable.byMean();
    entropyBySigma[j] = entropyTable.bySigma();
    return expectation;
  }

  @Override
  public void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
    Arrays.fill(sigmaGradient, 0); // of this sample
    super.addGradient(dOutputs, byLogProbability, byEntropy, byDivergence);
    for (int j = 0; j < actions; j++) {
      double slope = spreads[j] > 0 ? bounds.slope(spreads[j]) / spreads[j] : 0;
      byHalfVariance[j] = sigmaGradient[j] * slope;
    }
    for (int i = 0; i < squares.length; i++) {
      for (int j = 0; j < actions; j++) {
        gradient[i * actions + j] += byHalfVariance[j] * squares[i];
      }
    }
  }

  @Override
  public void addFeatureGradient(float[] dFeatures) {
    for (int i = 0; i < squares.length; i++) {
      for (int j = 0; j < actions; j++) {
        dFeatures[i] += (float) (byHalfVariance[j] * features[i] * variances[i * actions + j]);
      }
    }
  }

  @Override
  public void drawExploration(RandomStream stream, float[] exploration) {
    for (int k = 0; k < exploration.length; k++) {
      exploration[k] = (float) (deviations[k] * stream.nextGaussian());
    }
  }

  @Override
  public void sample(RandomStream stream, float[] exploration, float[] raw, int offset) {
    for (int j = 0; j < actions; j++) {
      double noise = 0;
      for (int i = 0; i < squares.length; i++) {
        noise += (double) exploration[i * actions + j] * features[i];
      }
      double z = spreads[j] > 0 ? noise / spreads[j] : stream.nextGaussian();
      raw[offset + j] = mean[j] + (float) (sigma[j] * limit(z));
    }
  }

  /** Gradient of {@code log σ} over all samples since this object was made. */
  @Override
  public float[] beside() {
    float[] byLogSigma = new float[gradient.length];
    for (int k = 0; k < gradient.length; k++) {
      byLogSigma[k] = (float) (gradient[k] * variances[k]);
    }
    return byLogSigma;
  }
}
