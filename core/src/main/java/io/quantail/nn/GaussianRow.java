package io.quantail.nn;

import io.quantail.nn.Gaussian.Squashing;
import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * {@link Gaussian} for one row whose standard deviations are the same in all rows.
 *
 * <p>With mean m, deviation s, raw action x and {@code z = (x - m) / s}: {@code d log p / dm = z /
 * s}, {@code d log p / ds = (z² - 1) / s}; against a stored (m', s'): {@code dKL / dm = (m - m') /
 * s²}, {@code dKL / ds = 1 / s - (s'² + (m' - m)²) / s³}; entropy: {@link SquashedEntropy}.
 */
final class GaussianRow implements PolicyRow {
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  private final float[] sigma;
  private final Squashing squashing;
  private final double[] logSigma;
  private final double[] lastStored; // deviation of a stored row, and its logarithm
  private final double[] logLastStored;
  private final double[] z;
  private final double[] byMean; // gradient of the divergence
  private final double[] bySigma;
  private final float[] sigmaGradient;
  private float[] mean;
  private SquashedEntropy[] entropies; // one per dimension, when asked for

  GaussianRow(float[] sigma, Squashing squashing) {
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
    sigmaGradient = new float[size];
  }

  @Override
  public void set(float[] outputs) {
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
    if (entropies == null) {
      entropies = new SquashedEntropy[sigma.length];
      Arrays.setAll(entropies, i -> new SquashedEntropy(squashing, sigma[i]));
    }
    double sum = 0;
    for (int i = 0; i < mean.length; i++) {
      sum += logSigma[i] + HALF_LOG_2_PI + 0.5 + entropies[i].expectation(mean[i]);
    }
    return sum;
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

  /** Most rows have the deviation of the row before. */
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
      SquashedEntropy entropy = entropies[i];
      dOutputs[i] +=
          (float)
              (byLogProbability * z[i] / sigma[i]
                  + byEntropy * entropy.byMean()
                  + byDivergence * byMean[i]);
      sigmaGradient[i] +=
          (float)
              (byLogProbability * (z[i] * z[i] - 1) / sigma[i]
                  + byEntropy * (1.0 / sigma[i] + entropy.bySigma())
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
      raw[offset + i] = mean[i] + (float) (sigma[i] * Gaussian.limit(stream.nextGaussian()));
    }
  }

  /** Gradient of the standard deviations, over all rows since this object was made. */
  @Override
  public float[] beside() {
    return sigmaGradient;
  }
}
