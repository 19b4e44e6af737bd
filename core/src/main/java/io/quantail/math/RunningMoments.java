package io.quantail.math;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * Mean and variance per feature of all values added so far, merged batch by batch in double.
 *
 * <p>With {@code d} the difference of the means and {@code N = n + m}: {@code mean += d m / N},
 * {@code variance = (n variance + m variance_batch + d^2 n m / N) / N}. Starts as mean 0, variance
 * 1 with the weight of 0.0001 samples.
 *
 * <p>See: Chan, Golub, LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
 * Variances", 1979. {@code RunningMomentsTest} pins it to Stable-Baselines3's RunningMeanStd and to
 * brute force.
 */
public final class RunningMoments {
  private static final double INITIAL_COUNT = 1e-4;

  private double count = INITIAL_COUNT;
  private final double[] mean;
  private final double[] variance;

  /**
   * @param size number of features
   */
  public RunningMoments(int size) {
    mean = new double[size];
    variance = new double[size];
    Arrays.fill(variance, 1);
  }

  /** The number of samples. */
  public double count() {
    return count;
  }

  /** The mean of a feature. */
  public double mean(int feature) {
    return mean[feature];
  }

  /** The population variance of a feature. */
  public double variance(int feature) {
    return variance[feature];
  }

  /**
   * Adds a batch.
   *
   * @param values [row, feature]
   */
  public void merge(IntToDoubleFunction values, int rows) {
    double[] batchMean = batchMean(values, rows);
    double[] batchVariance = batchVariance(values, rows, batchMean);
    double total = count + rows;
    for (int i = 0; i < mean.length; i++) {
      double difference = batchMean[i] - mean[i];
      double squares =
          variance[i] * count
              + batchVariance[i] * rows
              + difference * difference * count * rows / total;
      mean[i] += difference * rows / total;
      variance[i] = squares / total;
    }
    count = total;
  }

  /** Continues with saved statistics. */
  public void restore(double savedCount, double[] savedMean, double[] savedVariance) {
    count = savedCount;
    System.arraycopy(savedMean, 0, mean, 0, mean.length);
    System.arraycopy(savedVariance, 0, variance, 0, variance.length);
  }

  private double[] batchMean(IntToDoubleFunction values, int rows) {
    int size = mean.length;
    double[] result = new double[size];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < size; i++) {
        result[i] += values.applyAsDouble(row * size + i);
      }
    }
    for (int i = 0; i < size; i++) {
      result[i] /= rows;
    }
    return result;
  }

  /** A second pass, because the difference of large squares would lose precision. */
  private double[] batchVariance(IntToDoubleFunction values, int rows, double[] center) {
    int size = mean.length;
    double[] result = new double[size];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < size; i++) {
        double deviation = values.applyAsDouble(row * size + i) - center[i];
        result[i] += deviation * deviation;
      }
    }
    for (int i = 0; i < size; i++) {
      result[i] /= rows;
    }
    return result;
  }
}
