package io.quantail.market.walkforward;

import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.performance.Performance;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.risk.EmpiricalCvar;

/**
 * Performance of one path; undefined values are NaN.
 *
 * @param totalReturn last over initial equity, minus 1
 * @param sharpe mean over standard deviation (ddof 1) of the returns of a bar, annualised; NaN for
 *     fewer than {@value Performance#FEWEST_DAYS} days
 * @param maxDrawdown largest drawdown from a peak, as a positive fraction
 * @param cvar mean of the ⌈alpha n⌉ lowest log-returns of a bar
 */
public record PathNumbers(double totalReturn, double sharpe, double maxDrawdown, double cvar) {
  /**
   * The numbers of an account.
   *
   * @param alpha fraction of the worst bars, {@code risk.alpha}
   */
  static PathNumbers of(CombinedAccount account, double alpha) {
    double year = Performance.annualBars(account.times().length, account.barsPerYear());
    return new PathNumbers(
        account.totalReturn(),
        ReturnSeriesStatistics.sharpe(account.returns(), year),
        ReturnSeriesStatistics.drawdown(1, account.equity()).depth(),
        EmpiricalCvar.empirical(account.logReturns(), alpha, 0).cvar());
  }
}
