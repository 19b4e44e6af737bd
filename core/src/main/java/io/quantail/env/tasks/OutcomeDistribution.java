package io.quantail.env.tasks;

import io.quantail.random.RandomStream;
import java.util.Arrays;

/**
 * A discrete distribution with exact moments and tails, with which learned distributions are
 * compared.
 *
 * @param values outcomes in ascending order
 * @param probabilities of the outcomes, summing to 1
 */
public record OutcomeDistribution(double[] values, double[] probabilities) {
  /**
   * Checks that outcomes ascend and that each has a probability.
   *
   * @param values outcomes in ascending order
   * @param probabilities of the outcomes, summing to 1
   */
  public OutcomeDistribution {
    double sum = Arrays.stream(probabilities).sum();
    if (values.length != probabilities.length || Math.abs(sum - 1) > 1e-12) {
      throw new IllegalArgumentException(
          "outcomes need one probability each, summing to 1; were %s and %s"
              .formatted(Arrays.toString(values), Arrays.toString(probabilities)));
    }
    for (int i = 1; i < values.length; i++) {
      if (!(values[i - 1] < values[i])) {
        throw new IllegalArgumentException("outcomes must ascend, were " + Arrays.toString(values));
      }
    }
  }

  /** Draws an outcome; consumes one number of the stream. */
  double draw(RandomStream random) {
    double level = random.nextDouble();
    int index = 0;
    for (double upTo = probabilities[0]; level >= upTo && index < values.length - 1; ) {
      upTo += probabilities[++index];
    }
    return values[index];
  }

  /** {@return the mean} */
  public double mean() {
    double mean = 0;
    for (int i = 0; i < values.length; i++) {
      mean += probabilities[i] * values[i];
    }
    return mean;
  }

  /** {@return the standard deviation} */
  public double std() {
    double mean = mean();
    double variance = 0;
    for (int i = 0; i < values.length; i++) {
      variance += probabilities[i] * (values[i] - mean) * (values[i] - mean);
    }
    return Math.sqrt(variance);
  }

  /**
   * Computes the CVaR, the mean of the worst fraction of outcomes.
   *
   * @param alpha the fraction, in (0, 1]
   * @return the CVaR
   */
  public double cvar(double alpha) {
    double remaining = alpha;
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      double taken = Math.min(probabilities[i], remaining);
      sum += taken * values[i];
      remaining -= taken;
    }
    return sum / alpha;
  }
}
