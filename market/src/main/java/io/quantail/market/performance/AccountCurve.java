package io.quantail.market.performance;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.ReturnSeriesStatistics;
import java.util.List;

/**
 * An account over time, from the close of the first decision on. Arrays of equal length, shared,
 * that must not be changed. {@code AccountCurveTest} has numbers worked by hand.
 *
 * @param times closes, milliseconds since 1970 (UTC); the first is that of the first decision
 * @param equity over the equity at the first decision, net of all costs; the first is 1
 * @param exposures weight of all positions at each close; the first is 0
 * @param barsPerYear for annualisation
 */
public record AccountCurve(long[] times, double[] equity, double[] exposures, double barsPerYear) {

  /** The account of one pass. */
  public static AccountCurve of(BacktestResult pass) {
    double[] equity = pass.series().equity().clone();
    for (int t = 0; t < equity.length; t++) {
      equity[t] /= pass.initialEquity();
    }
    return of(List.of(pass), pass.series().times(), equity, pass.barsPerYear());
  }

  /**
   * The account of one pass for each symbol. Its weight at a close is that of all positions
   * together: the mean of the weights, weighted by the equity of each symbol.
   *
   * @param passes of one policy
   * @param closes of the account
   * @param equity over that at the start, at each of them
   */
  public static AccountCurve of(
      List<BacktestResult> passes, long[] closes, double[] equity, double barsPerYear) {
    long[] times = new long[closes.length + 1];
    times[0] = passes.stream().mapToLong(pass -> pass.start().time()).min().orElseThrow();
    System.arraycopy(closes, 0, times, 1, closes.length);
    double[] growth = new double[times.length];
    growth[0] = 1;
    System.arraycopy(equity, 0, growth, 1, equity.length);
    return new AccountCurve(times, growth, exposures(passes, closes), barsPerYear);
  }

  private static double[] exposures(List<BacktestResult> passes, long[] closes) {
    double[] held = new double[closes.length + 1];
    double[] all = new double[closes.length + 1];
    for (BacktestResult pass : passes) {
      int[] seen = CombinedAccount.seen(pass, closes);
      for (int t = 0; t < closes.length; t++) {
        int last = seen[t] - 1;
        double equity = last < 0 ? pass.initialEquity() : pass.series().equity()[last];
        double share = Math.max(0, equity) / pass.initialEquity();
        held[t + 1] += last < 0 ? 0 : share * pass.series().exposures()[last];
        all[t + 1] += share;
      }
    }
    for (int t = 1; t < held.length; t++) {
      held[t] = all[t] > 0 ? held[t] / all[t] : 0;
    }
    return held;
  }

  /** Number of bars, one fewer than closes. */
  public int bars() {
    return times.length - 1;
  }

  /** Equity minus 1 at each close; 0.1 is a gain of ten percent. */
  public double[] changes() {
    double[] changes = new double[equity.length];
    for (int t = 0; t < changes.length; t++) {
      changes[t] = equity[t] - 1;
    }
    return changes;
  }

  /** Equity over its highest value so far, minus 1, at each close. */
  public double[] underwater() {
    double[] below = new double[equity.length];
    double peak = 0;
    for (int t = 0; t < below.length; t++) {
      peak = Math.max(peak, equity[t]);
      below[t] = equity[t] / peak - 1;
    }
    return below;
  }

  /** The simple return of each bar; 0 for an account without money. */
  public double[] returns() {
    double[] returns = new double[bars()];
    for (int t = 0; t < returns.length; t++) {
      returns[t] = equity[t] > 0 ? equity[t + 1] / equity[t] - 1 : 0;
    }
    return returns;
  }

  /** The log-return of each bar; 0 for an account without money. */
  public double[] logReturns() {
    double[] returns = new double[bars()];
    for (int t = 0; t < returns.length; t++) {
      returns[t] = equity[t] > 0 ? TradingEnvironment.reward(equity[t], equity[t + 1]) : 0;
    }
    return returns;
  }

  /** Largest drawdown from a peak, as a positive fraction. */
  public double maxDrawdown() {
    return ReturnSeriesStatistics.drawdown(equity[0], equity).depth();
  }

  /** Whether the bars cover enough days for annualised values. */
  public boolean annualised() {
    return bars() / barsPerYear * Performance.DAYS_PER_YEAR >= Performance.FEWEST_DAYS;
  }

  /** Sharpe ratio per year, or per bar if the account is not {@link #annualised}. */
  public double sharpe() {
    return ReturnSeriesStatistics.sharpe(returns(), annualised() ? barsPerYear : 1);
  }

  /** Last over first equity, minus 1. */
  public double totalReturn() {
    return equity[equity.length - 1] - 1;
  }
}
