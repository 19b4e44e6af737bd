package io.quantail.optim;

/**
 * Half a cosine wave from the initial to the final learning rate.
 *
 * <p>See: Loshchilov, Hutter, "SGDR: Stochastic gradient descent with warm restarts", 2016,
 * arXiv:1608.03983; here without restarts.
 *
 * @param initial rate at the start, greater than 0
 * @param last rate at the end, not negative
 */
public record CosineRate(double initial, double last) implements LearningRateSchedule {
  public CosineRate {
    Rates.requirePositive("initial learning rate", initial);
    Rates.requireNotNegative("final learning rate", last);
  }

  @Override
  public double rate(double progress) {
    return Rates.cosine(initial, last, Rates.limit(progress));
  }
}
