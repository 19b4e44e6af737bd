package io.quantail.optim;

/**
 * A straight line from the initial to the final learning rate.
 *
 * @param initial rate at the start, greater than 0
 * @param last rate at the end, not negative
 */
public record LinearRate(double initial, double last) implements LearningRateSchedule {
  public LinearRate {
    Rates.requirePositive("initial learning rate", initial);
    Rates.requireNotNegative("final learning rate", last);
  }

  @Override
  public double rate(double progress) {
    return initial + (last - initial) * Rates.limit(progress);
  }
}
