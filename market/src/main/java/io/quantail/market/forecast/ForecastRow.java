package io.quantail.market.forecast;

import java.util.Arrays;

/**
 * One decision and the return that followed it.
 *
 * <p>The unit of the forecast is s = σ max(|w|, 0.01) with the EWMA volatility σ at the close of
 * the decision and the ordered weight w, see {@link
 * io.quantail.market.execution.TradingAccount#ordered}. Pinned by the vector {@code
 * next_bar_targets}.
 *
 * @param input the observation, then the ordered weight
 * @param unit s; NaN while the volatility is not known
 * @param logReturn ln(E[t+1] / E[t]), net of costs
 * @param idle whether there was neither a position nor an order, so that the return was bound to be
 *     0
 */
public record ForecastRow(float[] input, double unit, double logReturn, boolean idle) {
  private static final double LEAST_WEIGHT = 0.01;

  /** The unit of a forecast. */
  static double unit(double volatility, double weight) {
    return volatility * Math.max(Math.abs(weight), LEAST_WEIGHT);
  }

  /** The input of a forecast. */
  static float[] input(float[] observation, int from, int to, double weight) {
    float[] input = Arrays.copyOfRange(observation, from, to + 1);
    input[input.length - 1] = (float) weight;
    return input;
  }

  /** Whether there is something to forecast, and a unit to forecast it in. */
  boolean usable() {
    return !idle && unit > 0;
  }

  /** The return in units. */
  double target() {
    return logReturn / unit;
  }
}
