package io.quantail.market.synthetic;

/**
 * A market whose law is known. Returns are log-returns per bar, volatilities their standard
 * deviations.
 */
public sealed interface MarketModel {

  /** Independent returns around a drift. */
  record Trend(double drift, double volatility) implements MarketModel {}

  /** A price nobody can predict: its expected simple return is 0. */
  record Noise(double volatility) implements MarketModel {}

  /**
   * A log-price that returns to its mean: x ← persistence · x + volatility · ε, an AR(1) process,
   * which is an Ornstein-Uhlenbeck process seen at fixed times.
   *
   * @param persistence in [0, 1)
   */
  record MeanReversion(double persistence, double volatility) implements MarketModel {}

  /**
   * A drift that is up or down, and changes sides with some probability per bar.
   *
   * @param switching probability to change sides
   */
  record RegimeSwitch(double drift, double volatility, double switching) implements MarketModel {}

  /**
   * A trend with jumps.
   *
   * @param intensity probability of a jump per bar
   * @param jump standard deviation of a jump
   */
  record Jumps(double drift, double volatility, double intensity, double jump)
      implements MarketModel {}
}
