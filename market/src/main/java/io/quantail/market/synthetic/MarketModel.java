package io.quantail.market.synthetic;

import io.quantail.math.StudentT;

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

  /**
   * Clustered volatility with fat tails: returns r = √v ε with v ← omega + alpha r² + beta v and
   * innovations ε of Student's t-distribution with nu degrees of freedom, scaled to a variance of
   * 1. v begins with its mean omega / (1 − alpha − beta). The state that is known at a close,
   * column {@link SyntheticMarketGenerator#STATE}, is √v of the next bar, so the distribution of
   * the next return is known exactly: {@link #quantile} and {@link #cvar}.
   *
   * <p>See: Bollerslev, "A conditionally heteroskedastic time series model for speculative prices
   * and rates of return", Review of Economics and Statistics 69, 1987.
   *
   * @param omega constant part of the variance; positive
   * @param alpha weight of the last squared return; at least 0
   * @param beta weight of the last variance; at least 0, alpha + beta below 1
   * @param nu degrees of freedom; larger than 2
   */
  record Garch(double omega, double alpha, double beta, double nu) implements MarketModel {
    public Garch {
      if (!(omega > 0 && alpha >= 0 && beta >= 0 && alpha + beta < 1)) {
        throw new IllegalArgumentException(
            "garch needs omega > 0, alpha and beta of at least 0 and alpha + beta < 1, was"
                + " omega %s, alpha %s, beta %s".formatted(omega, alpha, beta));
      }
      new StudentT(nu); // refuses a nu without variance
    }

    /** Mean of the variance. */
    double meanVariance() {
      return omega / (1 - alpha - beta);
    }

    /**
     * The true quantile of the next log-return.
     *
     * @param level probability of a smaller return; in (0, 1)
     * @param volatility √v of the next bar: the state at the close
     */
    public double quantile(double level, double volatility) {
      return volatility * new StudentT(nu).quantile(level);
    }

    /**
     * The true mean of the lower tail of the next log-return.
     *
     * @param level probability of the tail; in (0, 1)
     * @param volatility √v of the next bar: the state at the close
     */
    public double cvar(double level, double volatility) {
      return volatility * new StudentT(nu).cvar(level);
    }
  }
}
