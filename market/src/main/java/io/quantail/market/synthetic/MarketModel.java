package io.quantail.market.synthetic;

/**
 * Models of synthetic markets. Returns are log-returns per bar, volatilities their standard
 * deviations.
 */
public sealed interface MarketModel {

  /**
   * Independent returns around a drift.
   *
   * @param drift mean return per bar
   * @param volatility of the returns
   */
  record Trend(double drift, double volatility) implements MarketModel {}

  /**
   * Unpredictable prices: the expected simple return is 0.
   *
   * @param volatility of the returns
   */
  record Noise(double volatility) implements MarketModel {}

  /**
   * A mean-reverting log-price: x ← persistence · x + volatility · ε, an AR(1) process, which is an
   * Ornstein-Uhlenbeck process sampled at fixed intervals.
   *
   * @param persistence fraction of the deviation that remains after a bar; in [0, 1)
   * @param volatility of the innovations
   */
  record MeanReversion(double persistence, double volatility) implements MarketModel {}

  /**
   * Returns around a drift whose sign switches at random.
   *
   * @param drift absolute mean return per bar
   * @param volatility of the returns
   * @param switching probability per bar that the sign switches
   */
  record RegimeSwitch(double drift, double volatility, double switching) implements MarketModel {}

  /**
   * A trend with jumps.
   *
   * @param drift mean return per bar
   * @param volatility of the returns without jumps
   * @param intensity probability of a jump per bar
   * @param jump standard deviation of a jump
   */
  record Jumps(double drift, double volatility, double intensity, double jump)
      implements MarketModel {}
}
