package io.quantail.optim;

import io.quantail.config.VgsMeasure;
import io.quantail.kernel.Vectors;
import io.quantail.state.StateMap;

/**
 * The variance over time of one number: the mean of the gradient's elements or its norm.
 *
 * <p>The pooled measure adds the variance of elements around that mean, {@code mean(g^2) -
 * mean(g)^2}, and so takes a gradient that never changes for noise if its elements differ. These
 * measures are there to be compared with the elementwise one. Pinned by the vectors {@code vgs_*}.
 */
final class ScalarNoise implements GradientNoise {
  private final VgsMeasure measure;
  private double mean;
  private double variance;
  private double spread; // mean over time of the variance between elements; pooled only

  ScalarNoise(VgsMeasure measure) {
    this.measure = measure;
  }

  @Override
  public void add(float[] gradient, double weight) {
    double norm = Vectors.norm(gradient);
    double average = Vectors.sum(gradient) / gradient.length;
    double delta = (measure == VgsMeasure.NORM ? norm : average) - mean;
    variance = (1 - weight) * (variance + weight * delta * delta);
    mean += weight * delta;
    if (measure == VgsMeasure.POOLED) {
      double between = Math.max(0, norm * norm / gradient.length - average * average);
      spread += weight * (between - spread);
    }
  }

  @Override
  public Level level() {
    return new Level(variance + spread, mean * mean);
  }

  @Override
  public void save(StateMap state) {
    state.putDoubles("moments", new double[] {mean, variance, spread});
  }

  @Override
  public Runnable restoring(StateMap state) {
    double[] moments = state.doubles("moments", 3);
    return () -> {
      mean = moments[0];
      variance = moments[1];
      spread = moments[2];
    };
  }
}
