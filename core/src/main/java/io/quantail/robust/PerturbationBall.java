package io.quantail.robust;

import io.quantail.config.RobustConfig;
import io.quantail.random.RandomStream;

/**
 * The allowed perturbations of one observation: no longer than ε, none of a fixed feature, and none
 * that leads out of the bounds of the network's input.
 *
 * @param norm how length is measured
 * @param epsilon largest length
 * @param limits bounds and fixed features
 */
record PerturbationBall(RobustConfig.AttackNorm norm, double epsilon, PerturbationBounds limits) {
  /** Keeps the direction of a zero gradient defined. */
  private static final double TINY = 1e-8;

  /**
   * A random allowed perturbation: uniform for the largest-change norm, otherwise a random
   * direction with a uniform length.
   */
  double[] random(float[] observation, RandomStream random) {
    double[] delta = new double[observation.length];
    for (int i = 0; i < delta.length; i++) {
      delta[i] =
          norm == RobustConfig.AttackNorm.LINF
              ? random.nextDouble(-epsilon, epsilon)
              : random.nextGaussian();
    }
    limits.hold(delta);
    if (norm == RobustConfig.AttackNorm.L2) {
      scale(delta, epsilon * random.nextDouble() / (length(delta) + TINY));
    }
    limits.bound(delta, observation);
    return delta;
  }

  /** The perturbation of length ε along a gradient. */
  double[] edge(float[] observation, float[] gradient) {
    double[] delta = direction(gradient);
    scale(delta, epsilon);
    limits.bound(delta, observation);
    return delta;
  }

  /** Moves a perturbation along a gradient and projects it back into the ball. */
  void ascend(double[] delta, float[] observation, float[] gradient, double stepLength) {
    double[] direction = direction(gradient);
    for (int i = 0; i < delta.length; i++) {
      delta[i] += stepLength * direction[i];
    }
    project(delta);
    limits.bound(delta, observation);
  }

  /** The sign of each entry, or the gradient at unit length. */
  private double[] direction(float[] gradient) {
    double[] direction = new double[gradient.length];
    for (int i = 0; i < direction.length; i++) {
      direction[i] = norm == RobustConfig.AttackNorm.LINF ? Math.signum(gradient[i]) : gradient[i];
    }
    limits.hold(direction);
    if (norm == RobustConfig.AttackNorm.L2) {
      scale(direction, 1 / (length(direction) + TINY));
    }
    return direction;
  }

  /** Projects onto the ball; changes nothing inside it. */
  private void project(double[] delta) {
    if (norm == RobustConfig.AttackNorm.LINF) {
      for (int i = 0; i < delta.length; i++) {
        delta[i] = Math.max(-epsilon, Math.min(epsilon, delta[i]));
      }
    } else if (length(delta) > epsilon) {
      scale(delta, epsilon / length(delta));
    }
  }

  private static void scale(double[] delta, double factor) {
    for (int i = 0; i < delta.length; i++) {
      delta[i] *= factor;
    }
  }

  /** In the norm of this ball. */
  double size(double[] delta) {
    double largest = 0;
    for (double change : delta) {
      largest = Math.max(largest, Math.abs(change));
    }
    return norm == RobustConfig.AttackNorm.LINF ? largest : length(delta);
  }

  private static double length(double[] delta) {
    double squares = 0;
    for (double change : delta) {
      squares += change * change;
    }
    return Math.sqrt(squares);
  }
}
