package io.quantail.optim;

/**
 * The same learning rate throughout.
 *
 * @param rate learning rate, greater than 0
 */
public record ConstantRate(double rate) implements LearningRateSchedule {
  public ConstantRate {
    Rates.requirePositive("learning rate", rate);
  }

  @Override
  public double rate(double progress) {
    Rates.limit(progress);
    return rate;
  }
}
