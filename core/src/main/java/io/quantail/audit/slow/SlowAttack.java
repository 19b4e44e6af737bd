package io.quantail.audit.slow;

import io.quantail.config.AttackMethod;
import io.quantail.config.AttackNorm;
import io.quantail.random.RandomStream;
import io.quantail.robust.Limits;
import java.util.function.UnaryOperator;

/**
 * Disturbances of observations, from their definitions: a random beginning within reach, steps
 * along the slopes of what is to rise, and back into what is allowed after each of them.
 *
 * @param epsilon greatest length of a disturbance
 * @param steps of the projected search
 * @param stepLength length of each
 * @param limits bounds and fixed features, read as data
 */
public record SlowAttack(
    AttackMethod method,
    AttackNorm norm,
    double epsilon,
    int steps,
    double stepLength,
    Limits limits) {
  private static final double TINY = 1e-8;

  /**
   * Disturbed observations.
   *
   * @param slopes of what is to rise, by every number of the observations
   * @param random draws the beginning, observation by observation
   */
  public double[][] apply(
      double[][] observations, UnaryOperator<double[][]> slopes, RandomStream random) {
    double[][] disturbed = new double[observations.length][];
    for (int row = 0; row < disturbed.length; row++) {
      disturbed[row] = allowed(observations[row], beginning(observations[row].length, random));
    }
    for (int step = 0; step < (method == AttackMethod.FGSM ? 1 : steps); step++) {
      double[][] uphill = slopes.apply(rounded(disturbed));
      for (int row = 0; row < disturbed.length; row++) {
        double[] way = direction(uphill[row]);
        double[] delta = new double[way.length];
        for (int i = 0; i < way.length; i++) {
          delta[i] =
              method == AttackMethod.FGSM
                  ? epsilon * way[i]
                  : disturbed[row][i] - observations[row][i] + stepLength * way[i];
        }
        disturbed[row] =
            allowed(observations[row], method == AttackMethod.FGSM ? delta : shortened(delta));
      }
    }
    return disturbed;
  }

  /** The policy sees single precision. */
  private static double[][] rounded(double[][] rows) {
    double[][] rounded = new double[rows.length][];
    for (int row = 0; row < rows.length; row++) {
      rounded[row] = Numbers.doubles(Numbers.floats(rows[row]));
    }
    return rounded;
  }

  private double[] beginning(int size, RandomStream random) {
    double[] delta = new double[size];
    for (int i = 0; i < size; i++) {
      delta[i] =
          norm == AttackNorm.LINF ? epsilon * (2 * random.nextDouble() - 1) : random.nextGaussian();
    }
    limits.fixed().forEach(place -> delta[place] = 0);
    if (norm == AttackNorm.L2) {
      double length = epsilon * random.nextDouble() / (Numbers.norm(delta) + TINY);
      for (int i = 0; i < size; i++) {
        delta[i] *= length;
      }
    }
    return delta;
  }

  private double[] direction(double[] slopes) {
    double[] way = slopes.clone();
    limits.fixed().forEach(place -> way[place] = 0);
    double length = Numbers.norm(way) + TINY;
    for (int i = 0; i < way.length; i++) {
      way[i] = norm == AttackNorm.LINF ? Math.signum(way[i]) : way[i] / length;
    }
    return way;
  }

  private double[] shortened(double[] delta) {
    double length = Numbers.norm(delta);
    double[] inside = new double[delta.length];
    for (int i = 0; i < delta.length; i++) {
      inside[i] =
          norm == AttackNorm.LINF
              ? Numbers.clip(delta[i], -epsilon, epsilon)
              : length > epsilon ? delta[i] * epsilon / length : delta[i];
    }
    return inside;
  }

  private double[] allowed(double[] observation, double[] delta) {
    double[] disturbed = new double[delta.length];
    for (int i = 0; i < delta.length; i++) {
      disturbed[i] = Numbers.clip(observation[i] + delta[i], limits.low(), limits.high());
    }
    return disturbed;
  }

  /** The mean distance between two sets of observations. */
  public double meanSize(double[][] observations, double[][] disturbed) {
    double sum = 0;
    for (int row = 0; row < observations.length; row++) {
      sum += length(norm, observations[row], disturbed[row]);
    }
    return sum / observations.length;
  }

  /** The distance between two observations. */
  public static double length(AttackNorm norm, double[] first, double[] second) {
    double largest = 0;
    double squares = 0;
    for (int i = 0; i < first.length; i++) {
      double distance = Math.abs(first[i] - second[i]);
      largest = Math.max(largest, distance);
      squares += distance * distance;
    }
    return norm == AttackNorm.LINF ? largest : Math.sqrt(squares);
  }
}
