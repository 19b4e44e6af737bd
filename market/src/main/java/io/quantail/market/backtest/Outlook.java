package io.quantail.market.backtest;

import java.util.List;

/**
 * What an agent expects to earn from now on: the distribution of the discounted sum of its
 * log-returns, Σ gamma^k ln(E[t+k+1] / E[t+k]), in raw units.
 *
 * @param mean expected value
 * @param quantiles at {@link #LEVELS}
 * @param cvar mean of the worst share {@code alpha}
 * @param alpha that share
 */
public record Outlook(double mean, double[] quantiles, double cvar, double alpha) {
  /** Shares of the distribution that lie below the quantiles. */
  public static final List<Double> LEVELS = List.of(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99);
}
