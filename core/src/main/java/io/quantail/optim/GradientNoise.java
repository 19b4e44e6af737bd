package io.quantail.optim;

import io.quantail.config.OptimizerConfig;
import io.quantail.kernel.FloatVectors;
import io.quantail.network.Parameters;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.List;

/** Running mean and variance over time of the gradient, or of one number computed from it. */
sealed interface GradientNoise extends Restorable {

  /**
   * Noise against signal.
   *
   * @param variance variance over time of the measured quantity
   * @param squaredMean square of its mean
   */
  record Level(double variance, double squaredMean) {
    private static final double RELATIVE_EPSILON = 1e-12;

    /** Variance over squared mean; scaling the gradient does not change it, and 0/0 is 0. */
    double normalized() {
      double secondMoment = variance + squaredMean;
      return secondMoment == 0 ? 0 : normalized(RELATIVE_EPSILON * secondMoment);
    }

    /** Variance over squared mean and a term that keeps the divisor from zero. */
    double normalized(double epsilon) {
      return variance / (squaredMean + epsilon);
    }
  }

  static GradientNoise of(OptimizerConfig.VgsMeasure measure, int parameters) {
    return measure == OptimizerConfig.VgsMeasure.ELEMENTWISE
        ? new Elementwise(parameters)
        : new Scalar(measure);
  }

  /**
   * Adds a gradient.
   *
   * @param weight its weight in the running moments; the first gradient has weight 1
   */
  void add(float[] gradient, double weight);

  /** Noise and signal of the gradients added so far. */
  Level level();

  /** Noise and signal of each of several ranges; none where elements are not told apart. */
  default List<Level> levels(List<Parameters.Slot> ranges) {
    return List.of();
  }

  /**
   * The variance over time of every element of the gradient, summed, against the summed squares of
   * their means.
   *
   * <p>With {@code delta = g - mean}: {@code variance = (1 - a)(variance + a delta^2)}, {@code mean
   * += a delta}. That equals {@code E[g^2] - E[g]^2} of bias-corrected exponential means, but
   * subtracts nothing large: a constant gradient has a variance of exactly zero in single
   * precision.
   *
   * <p>See: Finch, "Incremental calculation of weighted mean and variance", 2009. Pinned by the
   * vectors {@code vgs_*}.
   */
  final class Elementwise implements GradientNoise {
    private final float[] mean;
    private final float[] variance;

    private Elementwise(int parameters) {
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
      double norm = FloatVectors.norm(mean);
      return new Level(FloatVectors.sum(variance), norm * norm);
    }

    @Override
    public List<Level> levels(List<Parameters.Slot> ranges) {
      return ranges.stream().map(this::level).toList();
    }

    private Level level(Parameters.Slot range) {
      double sum = 0;
      double squares = 0;
      for (int i = (int) range.offset(); i < range.offset() + range.count(); i++) {
        sum += variance[i];
        squares += (double) mean[i] * mean[i];
      }
      return new Level(sum, squares);
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

  /**
   * The variance over time of one number: the mean of the gradient's elements or its norm.
   *
   * <p>The pooled measure adds the variance of elements around that mean, {@code mean(g^2) -
   * mean(g)^2}, and so counts a gradient that never changes as noise if its elements differ. These
   * measures exist for comparison with the elementwise one. Pinned by the vectors {@code vgs_*}.
   */
  final class Scalar implements GradientNoise {
    private final OptimizerConfig.VgsMeasure measure;
    private double mean;
    private double variance;
    private double dispersion; // mean over time of the variance between elements; pooled only

    private Scalar(OptimizerConfig.VgsMeasure measure) {
      this.measure = measure;
    }

    @Override
    public void add(float[] gradient, double weight) {
      double norm = FloatVectors.norm(gradient);
      double average = FloatVectors.sum(gradient) / gradient.length;
      double delta = (measure == OptimizerConfig.VgsMeasure.NORM ? norm : average) - mean;
      variance = (1 - weight) * (variance + weight * delta * delta);
      mean += weight * delta;
      if (measure == OptimizerConfig.VgsMeasure.POOLED) {
        double between = Math.max(0, norm * norm / gradient.length - average * average);
        dispersion += weight * (between - dispersion);
      }
    }

    @Override
    public Level level() {
      return new Level(variance + dispersion, mean * mean);
    }

    @Override
    public void save(StateMap state) {
      state.putDoubles("moments", new double[] {mean, variance, dispersion});
    }

    @Override
    public Runnable restoring(StateMap state) {
      double[] moments = state.doubles("moments", 3);
      return () -> {
        mean = moments[0];
        variance = moments[1];
        dispersion = moments[2];
      };
    }
  }
}
