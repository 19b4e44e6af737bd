package io.quantail.network;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Independent normal variables, optionally squashed into an interval. Their standard deviations are
 * the same in all samples, unless {@link StateDependentPolicy} computes them for each.
 *
 * <p>With {@code a = f(x)}, {@code x ~ N(m, s)} and {@code z = (x - m) / s}: {@code log p(a) = log
 * N(x) - log f'(x)} and {@code H(a) = H(x) + E[log f'(x)]}, for which see {@link SquashedEntropy}.
 * Gradients: {@code d log p / dm = z / s}, {@code d log p / ds = (z² - 1) / s}; against a stored
 * (m', s'): {@code dKL / dm = (m - m') / s²}, {@code dKL / ds = 1 / s - (s'² + (m' - m)²) / s³}.
 * {@code GaussianPolicyTest} compares with the vectors and integrates the density.
 */
class GaussianPolicy implements PolicyDistribution {
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  final float[] sigma;
  final double[] logSigma;
  private final Squashing squashing;
  private final double[] lastStored; // deviation of a stored row, and its logarithm
  private final double[] logLastStored;
  private final double[] z;
  private final double[] byMean; // gradient of the divergence
  private final double[] bySigma;
  final double[] entropyByMean; // what squashing adds to it
  final double[] entropyBySigma;
  final float[] sigmaGradient;
  float[] mean = {};
  private SquashedEntropy @Nullable [] entropies; // one per dimension, created on demand

  GaussianPolicy(float[] sigma, Squashing squashing) {
    this.sigma = sigma;
    this.squashing = squashing;
    int size = sigma.length;
    logSigma = new double[size];
    for (int i = 0; i < size; i++) {
      logSigma[i] = StrictMath.log(sigma[i]);
    }
    lastStored = new double[size];
    logLastStored = new double[size];
    Arrays.fill(lastStored, Double.NaN); // none yet
    z = new double[size];
    byMean = new double[size];
    bySigma = new double[size];
    entropyByMean = new double[size];
    entropyBySigma = new double[size];
    sigmaGradient = new float[size];
  }

  @Override
  public void set(float[] outputs, float[] features, boolean[] masks, int maskOffset) {
    mean = outputs;
  }

  @Override
  public double logProbability(float[] raw, int offset) {
    double sum = 0;
    for (int i = 0; i < z.length; i++) {
      double x = raw[offset + i];
      z[i] = (x - mean[i]) / sigma[i];
      sum -= 0.5 * z[i] * z[i] + logSigma[i] + HALF_LOG_2_PI + squashing.logDerivative(x);
    }
    return sum;
  }

  @Override
  public double entropy() {
    double sum = 0;
    for (int i = 0; i < mean.length; i++) {
      sum += logSigma[i] + HALF_LOG_2_PI + 0.5 + squashingTerm(i);
    }
    return sum;
  }

  /** What squashing adds to the entropy of a dimension; also computes its derivatives. */
  double squashingTerm(int i) {
    if (entropies == null) {
      entropies = new SquashedEntropy[sigma.length];
      Arrays.setAll(entropies, k -> new SquashedEntropy(squashing, sigma[k]));
    }
    double expectation = entropies[i].expectation(mean[i]);
    entropyByMean[i] = entropies[i].byMean();
    entropyBySigma[i] = entropies[i].bySigma();
    return expectation;
  }

  @Override
  public double divergenceFrom(float[] stored, int offset) {
    double sum = 0;
    for (int i = 0; i < mean.length; i++) {
      double distance = mean[i] - stored[offset + i];
      double before = stored[offset + mean.length + i];
      double variance = (double) sigma[i] * sigma[i];
      double squares = before * before + distance * distance;
      sum += logSigma[i] - logStored(i, before) + squares / (2 * variance) - 0.5;
      byMean[i] = distance / variance;
      bySigma[i] = (1 - squares / variance) / sigma[i];
    }
    return sum;
  }

  /** Recomputes logarithms only if the deviation differs from that of the row before. */
  private double logStored(int i, double stored) {
    if (stored != lastStored[i]) {
      lastStored[i] = stored;
      logLastStored[i] = StrictMath.log(stored);
    }
    return logLastStored[i];
  }

  @Override
  public void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence) {
    for (int i = 0; i < mean.length; i++) {
      dOutputs[i] +=
          (float)
              (byLogProbability * z[i] / sigma[i]
                  + byEntropy * entropyByMean[i]
                  + byDivergence * byMean[i]);
      sigmaGradient[i] +=
          (float)
              (byLogProbability * (z[i] * z[i] - 1) / sigma[i]
                  + byEntropy * (1.0 / sigma[i] + entropyBySigma[i])
                  + byDivergence * bySigma[i]);
    }
  }

  @Override
  public void store(float[] target, int offset) {
    System.arraycopy(mean, 0, target, offset, mean.length);
    System.arraycopy(sigma, 0, target, offset + mean.length, mean.length);
  }

  @Override
  public void sample(RandomStream stream, float[] raw, int offset) {
    for (int i = 0; i < mean.length; i++) {
      raw[offset + i] = mean[i] + (float) (sigma[i] * limit(stream.nextGaussian()));
    }
  }

  static double limit(double z) {
    return Math.max(-MAX_SIGMAS, Math.min(MAX_SIGMAS, z));
  }

  @Override
  public void mode(float[] raw, int offset) {
    System.arraycopy(mean, 0, raw, offset, mean.length);
  }

  /** Gradient of the standard deviations, over all samples since this object was made. */
  @Override
  public float[] beside() {
    return sigmaGradient;
  }
}
