package io.quantail.optim;

import io.quantail.kernel.Vectors;
import io.quantail.state.StateMap;

/**
 * The variance over time of every element of the gradient, summed, against the summed squares of
 * their means.
 *
 * <p>With {@code delta = g - mean}: {@code variance = (1 - a)(variance + a delta^2)}, {@code mean
 * += a delta}. That equals {@code E[g^2] - E[g]^2} of bias-corrected exponential means, but
 * subtracts nothing large: a constant gradient has a variance of exactly zero in single precision.
 *
 * <p>See: Finch, "Incremental calculation of weighted mean and variance", 2009. Pinned by the
 * vectors {@code vgs_*}.
 */
final class ElementwiseNoise implements GradientNoise {
  private final float[] mean;
  private final float[] variance;

  ElementwiseNoise(int parameters) {
    mean = new float[parameters];
    variance = new float[parameters];
  }

  @Override
  public void add(float[] gradient, double weight) {
    float share = (float) weight;
    float keep = (float) (1 - weight);
    float both = (float) (weight * (1 - weight));
    for (int i = 0; i < mean.length; i++) {
      float delta = gradient[i] - mean[i];
      variance[i] = keep * variance[i] + both * delta * delta;
      mean[i] += share * delta;
    }
  }

  @Override
  public Level level() {
    double norm = Vectors.norm(mean);
    return new Level(Vectors.sum(variance), norm * norm);
  }

  @Override
  public void save(StateMap state) {
    state.putFloats("mean", mean, mean.length);
    state.putFloats("variance", variance, variance.length);
  }

  @Override
  public Runnable restoring(StateMap state) {
    int count = mean.length;
    float[] savedMean = state.floats("mean", count);
    float[] savedVariance = state.floats("variance", count);
    return () -> {
      System.arraycopy(savedMean, 0, mean, 0, count);
      System.arraycopy(savedVariance, 0, variance, 0, count);
    };
  }
}
