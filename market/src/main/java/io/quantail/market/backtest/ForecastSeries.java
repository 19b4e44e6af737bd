package io.quantail.market.backtest;

import java.util.List;

/**
 * The predictions of an agent at the decisions of one pass: for each, the distribution of the
 * discounted sum of log-returns that follow, see {@link ReturnForecast}. Arrays are shared and must
 * not be changed.
 *
 * @param steps steps of the pass: row {@code i} was predicted before step {@code steps[i]}
 * @param means expected values
 * @param quantiles {@code [level][row]}, at {@link #LEVELS}
 * @param cvars means of the worst fraction {@code alpha}
 * @param alpha fraction of the worst returns in {@code cvars}
 */
public record ForecastSeries(
    int[] steps, double[] means, double[][] quantiles, double[] cvars, double alpha) {
  /** Levels of the quantiles: probabilities of a smaller return. */
  public static final List<Double> LEVELS =
      List.of(0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99);

  /** Number of predictions. */
  public int size() {
    return steps.length;
  }
}
