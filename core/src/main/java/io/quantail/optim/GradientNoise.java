package io.quantail.optim;

import io.quantail.config.VgsMeasure;
import io.quantail.state.Restorable;

/** Running mean and variance over time of something about the gradient. */
sealed interface GradientNoise extends Restorable permits ElementwiseNoise, ScalarNoise {

  /**
   * Noise against signal.
   *
   * @param variance how much the thing measured varies
   * @param squaredMean the square of its mean
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

  static GradientNoise of(VgsMeasure measure, int parameters) {
    return measure == VgsMeasure.ELEMENTWISE
        ? new ElementwiseNoise(parameters)
        : new ScalarNoise(measure);
  }

  /**
   * Takes in a gradient.
   *
   * @param weight its share in the running moments; the first gradient has share 1
   */
  void add(float[] gradient, double weight);

  Level level();
}
