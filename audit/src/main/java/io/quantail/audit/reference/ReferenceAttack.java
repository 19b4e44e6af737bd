package io.quantail.audit.reference;

import io.quantail.config.RobustConfig;
import io.quantail.random.RandomStream;
import io.quantail.robust.PerturbationBounds;
import java.util.function.UnaryOperator;

/**
 * Reference implementation of attacks on observations: a random start within the ball, steps along
 * the gradient of an objective, and a projection onto the allowed set after each step.
 *
 * @param epsilon largest size of a perturbation
 * @param steps of projected gradient ascent
 * @param stepLength length of each step
 * @param limits bounds and fixed features, used as data
 */
public record ReferenceAttack(
    RobustConfig.AttackMethod method,
    RobustConfig.AttackNorm norm,
    double epsilon,
    int steps,
    double stepLength,
    PerturbationBounds limits) {
  private static final double TINY = 1e-8;

  /**
   * Perturbs observations.
   *
   * @param slopes gradient of the objective by every number of the observations
   * @param random draws the start, observation by observation
   */
  public double[][] apply(
      double[][] observations, UnaryOperator<double[][]> slopes, RandomStream random) {
    double[][] perturbed = new double[observations.length][];
    for (int row = 0; row < perturbed.length; row++) {
      perturbed[row] = allowed(observations[row], start(observations[row].length, random));
    }
    for (int step = 0; step < (method == RobustConfig.AttackMethod.FGSM ? 1 : steps); step++) {
      double[][] uphill = slopes.apply(ReferenceMath.doubles(ReferenceMath.floats(perturbed)));
      for (int row = 0; row < perturbed.length; row++) {
        double[] direction = direction(uphill[row]);
        double[] delta = new double[direction.length];
        for (int i = 0; i < direction.length; i++) {
          delta[i] =
              method == RobustConfig.AttackMethod.FGSM
                  ? epsilon * direction[i]
                  : perturbed[row][i] - observations[row][i] + stepLength * direction[i];
        }
        perturbed[row] =
            allowed(
                observations[row],
                method == RobustConfig.AttackMethod.FGSM ? delta : shortened(delta));
      }
    }
    return perturbed;
  }

  private double[] start(int size, RandomStream random) {
    double[] delta = new double[size];
    for (int i = 0; i < size; i++) {
      delta[i] =
          norm == RobustConfig.AttackNorm.LINF
              ? epsilon * (2 * random.nextDouble() - 1)
              : random.nextGaussian();
    }
    limits.fixed().forEach(index -> delta[index] = 0);
    if (norm == RobustConfig.AttackNorm.L2) {
      double length = epsilon * random.nextDouble() / (ReferenceMath.norm(delta) + TINY);
      for (int i = 0; i < size; i++) {
        delta[i] *= length;
      }
    }
    return delta;
  }

  private double[] direction(double[] slopes) {
    double[] direction = slopes.clone();
    limits.fixed().forEach(index -> direction[index] = 0);
    double length = ReferenceMath.norm(direction) + TINY;
    for (int i = 0; i < direction.length; i++) {
      direction[i] =
          norm == RobustConfig.AttackNorm.LINF ? Math.signum(direction[i]) : direction[i] / length;
    }
    return direction;
  }

  private double[] shortened(double[] delta) {
    double length = ReferenceMath.norm(delta);
    double[] inside = new double[delta.length];
    for (int i = 0; i < delta.length; i++) {
      inside[i] =
          norm == RobustConfig.AttackNorm.LINF
              ? ReferenceMath.clip(delta[i], -epsilon, epsilon)
              : length > epsilon ? delta[i] * epsilon / length : delta[i];
    }
    return inside;
  }

  private double[] allowed(double[] observation, double[] delta) {
    double[] perturbed = new double[delta.length];
    for (int i = 0; i < delta.length; i++) {
      perturbed[i] = ReferenceMath.clip(observation[i] + delta[i], limits.low(), limits.high());
    }
    return perturbed;
  }

  /** The mean distance between two sets of observations. */
  public double meanSize(double[][] observations, double[][] perturbed) {
    double sum = 0;
    for (int row = 0; row < observations.length; row++) {
      sum += length(norm, observations[row], perturbed[row]);
    }
    return sum / observations.length;
  }

  /** The distance between two observations. */
  public static double length(RobustConfig.AttackNorm norm, double[] first, double[] second) {
    double largest = 0;
    double squares = 0;
    for (int i = 0; i < first.length; i++) {
      double distance = Math.abs(first[i] - second[i]);
      largest = Math.max(largest, distance);
      squares += distance * distance;
    }
    return norm == RobustConfig.AttackNorm.LINF ? largest : Math.sqrt(squares);
  }
}
