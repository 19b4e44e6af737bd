package io.quantail.market.stress;

import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.ReturnSeriesStatistics;

/**
 * What an account did under stress.
 *
 * @param totalReturn last over first equity, minus 1
 * @param maxDrawdown largest fall below the highest equity so far, the first included, as a
 *     positive fraction
 * @param worstBar smallest log-return of a bar
 * @param ended whether the account ended early, by ruin or by its drawdown limit
 */
public record StressOutcome(
    double totalReturn, double maxDrawdown, double worstBar, boolean ended) {

  /**
   * The outcome of an equity curve.
   *
   * @param first equity before the first bar
   * @param equity at the close of every bar; at least one
   */
  static StressOutcome of(double first, double[] equity, boolean ended) {
    double worst = Double.POSITIVE_INFINITY;
    double before = first;
    for (double value : equity) {
      worst = Math.min(worst, TradingEnvironment.reward(before, value));
      before = value;
    }
    return new StressOutcome(
        before / first - 1, ReturnSeriesStatistics.drawdown(first, equity).depth(), worst, ended);
  }
}
