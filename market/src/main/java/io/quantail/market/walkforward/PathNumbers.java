package io.quantail.market.walkforward;

import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.risk.EmpiricalCvar;

/**
 * Performance of one path; undefined values are NaN.
 *
 * @param totalReturn last over initial equity, minus 1
 * @param sharpe mean over standard deviation (ddof 1) of the returns of a bar, annualised
 * @param maxDrawdown largest drawdown from a peak, as a positive fraction
 * @param cvar mean of the ⌈alpha n⌉ lowest log-returns of a bar
 */
public record PathNumbers(double totalReturn, double sharpe, double maxDrawdown, double cvar) {
  /**
   * The numbers of an account.
   *
   * @param alpha fraction of the worst bars, {@code risk.alpha}
   */
  static PathNumbers of(PooledAccount account, double alpha) {
    int bars = account.change().length;
    double[] equity = new double[bars];
    double[] returns = new double[bars];
    double[] logReturns = new double[bars];
    double before = 1;
    for (int i = 0; i < bars; i++) {
      equity[i] = 1 + account.change()[i];
      returns[i] = equity[i] / before - 1;
      logReturns[i] = TradingEnvironment.reward(before, equity[i]);
      before = equity[i];
    }
    return new PathNumbers(
        account.change()[bars - 1],
        ReturnSeriesStatistics.sharpe(returns, account.barsPerYear()),
        ReturnSeriesStatistics.drawdown(1, equity).depth(),
        EmpiricalCvar.empirical(logReturns, alpha, 0).cvar());
  }
}
