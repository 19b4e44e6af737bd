package io.quantail.market.backtest;

import java.util.List;

/**
 * What an agent expected at the decisions of one pass: the distribution of the discounted sum of
 * its log-returns from each of them on, see {@link Outlook}. Arrays are shared, not to be changed.
 *
 * @param steps which steps of the pass: row {@code i} was decided before step {@code steps[i]}
 * @param means expected values
 * @param quantiles {@code [level][row]}, at {@link #LEVELS}
 * @param cvars means of the worst share {@code alpha}
 * @param alpha that share
 */
public record Forecast(
    int[] steps, double[] means, double[][] quantiles, double[] cvars, double alpha) {
  /** Shares of the distribution that lie below the quantiles. */
  public static final List<Double> LEVELS =
      List.of(0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99);

  public int size() {
    return steps.length;
  }
}
