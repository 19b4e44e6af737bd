package io.quantail.model;

import io.quantail.env.ObservationSpace;
import io.quantail.math.RunningMoments;
import java.util.Arrays;
import java.util.Locale;

/**
 * Scales observations to mean 0 and variance 1 with statistics that are frozen during a rollout.
 *
 * <p>{@code out = clip((x - mean) / sqrt(variance + 1e-8), -clip, clip)}. Statistics change in
 * {@link #update} only, which is called between rollouts: within one rollout equal observations
 * have equal normalised values, and a recurrent state never mixes two scales. The numbers of raw
 * parts of the observation are neither scaled nor clipped.
 *
 * <p>See: Stable-Baselines3, VecNormalize, which updates its statistics on every step; here they
 * change between rollouts. {@code ObservationNormalizerTest} pins it.
 */
public final class ObservationNormalizer {
  private static final double EPSILON = 1e-8;

  private final int size;
  private final boolean[] raw; // numbers that are left as they are
  private final double clip;
  private final RunningMoments moments;
  private final double[] deviation;

  /**
   * Change of the statistics by {@link #update}, as root mean square over the normalised features
   * in units of the old standard deviation.
   *
   * @param meanDrift published as {@code debug/vecnormalize_mean_drift}
   * @param stdDrift published as {@code debug/vecnormalize_std_drift}
   */
  public record Drift(double meanDrift, double stdDrift) {}

  /**
   * @param space the numbers of an observation, at least 1
   * @param clip bound of normalised values, positive; 10 is customary
   */
  public ObservationNormalizer(ObservationSpace space, double clip) {
    if (!(clip > 0 && Double.isFinite(clip))) {
      throw new IllegalArgumentException("clip must be positive and finite, was " + clip);
    }
    this.size = space.size();
    this.raw = space.raw();
    this.clip = clip;
    this.moments = new RunningMoments(size);
    this.deviation = new double[size];
    measureDeviation();
  }

  /** Normalises rows; {@code in} and {@code out} may be the same array. */
  public void normalize(float[] in, int inOffset, float[] out, int outOffset, int rows) {
    requireFinite(in, inOffset, rows);
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < size; i++) {
        int at = row * size + i;
        if (raw[i]) {
          out[outOffset + at] = in[inOffset + at];
          continue;
        }
        double value = (in[inOffset + at] - moments.mean(i)) / deviation[i];
        out[outOffset + at] = (float) (value > clip ? clip : value < -clip ? -clip : value);
      }
    }
  }

  /**
   * Adds a rollout's observations to the statistics.
   *
   * @param in [row, feature], not normalised
   */
  public Drift update(float[] in, int rows) {
    if (rows < 1 || in.length < (long) rows * size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "update needs at least 1 row of %d numbers; was given %d rows in an array of %d",
              size,
              rows,
              in.length));
    }
    requireFinite(in, 0, rows);
    double[] oldMean = mean();
    double[] oldDeviation = deviation.clone();
    moments.merge(i -> in[i], rows);
    measureDeviation();
    return drift(oldMean, oldDeviation);
  }

  public double[] mean() {
    double[] mean = new double[size];
    Arrays.setAll(mean, moments::mean);
    return mean;
  }

  public double[] variance() {
    double[] variance = new double[size];
    Arrays.setAll(variance, moments::variance);
    return variance;
  }

  /** Number of observations in the statistics. */
  public double count() {
    return moments.count();
  }

  /** Restores saved statistics. */
  public void restore(double count, double[] mean, double[] variance) {
    restoring(count, mean, variance).run();
  }

  /**
   * Validates saved statistics and changes nothing.
   *
   * @return continues with them
   */
  public Runnable restoring(double count, double[] mean, double[] variance) {
    if (!(count > 0 && Double.isFinite(count))) {
      throw new IllegalArgumentException("saved count must be positive and finite, was " + count);
    }
    if (mean.length != size || variance.length != size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "saved statistics must have %d features, had %d means and %d variances",
              size,
              mean.length,
              variance.length));
    }
    for (int i = 0; i < size; i++) {
      if (!Double.isFinite(mean[i]) || !(variance[i] >= 0 && Double.isFinite(variance[i]))) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "saved feature %d must have a finite mean and a variance from 0, had %s and %s",
                i,
                mean[i],
                variance[i]));
      }
    }
    return () -> {
      moments.restore(count, mean, variance);
      measureDeviation();
    };
  }

  private void measureDeviation() {
    Arrays.setAll(deviation, i -> deviation(moments.variance(i)));
  }

  /** What the distance from the mean is divided by: {@code sqrt(variance + 1e-8)}. */
  public static double deviation(double variance) {
    return Math.sqrt(variance + EPSILON);
  }

  private Drift drift(double[] oldMean, double[] oldDeviation) {
    double meanSquares = 0;
    double deviationSquares = 0;
    int scaled = 0;
    for (int i = 0; i < size; i++) {
      if (raw[i]) {
        continue;
      }
      scaled++;
      double meanChange = (moments.mean(i) - oldMean[i]) / oldDeviation[i];
      double deviationChange = (deviation[i] - oldDeviation[i]) / oldDeviation[i];
      meanSquares += meanChange * meanChange;
      deviationSquares += deviationChange * deviationChange;
    }
    return scaled == 0
        ? new Drift(0, 0)
        : new Drift(Math.sqrt(meanSquares / scaled), Math.sqrt(deviationSquares / scaled));
  }

  private void requireFinite(float[] in, int offset, int rows) {
    for (int i = 0; i < rows * size; i++) {
      if (!Float.isFinite(in[offset + i])) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "observation row %d, feature %d must be finite, was %s; nothing was changed",
                i / size,
                i % size,
                in[offset + i]));
      }
    }
  }
}
