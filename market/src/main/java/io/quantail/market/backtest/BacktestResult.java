package io.quantail.market.backtest;

import io.quantail.market.execution.FilledOrder;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.trading.TradingEnvironment;
import java.io.Serializable;
import java.util.List;

/**
 * One pass of a policy over a range of bars of one symbol, without resets.
 *
 * <p>Row {@code i} of {@link Series} is step {@code i}: decided at the close before {@code
 * times[i]}, filled at that bar's open, marked at its close.
 *
 * @param symbol name of the symbol
 * @param policy name of the policy
 * @param start account at the close of the first decision
 * @param barsPerYear of the bars of the pass
 * @param series account after every step
 * @param trades filled orders
 * @param risk number of decisions that each limit changed
 * @param ruined whether the account ended before the range did
 */
public record BacktestResult(
    String symbol,
    String policy,
    Start start,
    double barsPerYear,
    Series series,
    List<FilledOrder> trades,
    LimitCounts risk,
    boolean ruined)
    implements Serializable {

  /**
   * The account before the first step.
   *
   * @param time close of the first decision, milliseconds since 1970 (UTC)
   * @param price close of that bar
   * @param equity in money; nothing is held yet
   */
  public record Start(long time, double price, double equity) implements Serializable {}

  /**
   * The account after every step, in arrays of equal length that callers must not change.
   *
   * @param times close of the bar, milliseconds since 1970 (UTC)
   * @param prices close of the bar
   * @param targets target weight after risk limits
   * @param exposures weight at the close
   * @param equity at the close, net of all costs
   * @param fees in money
   * @param slippage in money
   * @param borrow borrowing costs in money
   * @param turnover traded money over the equity before the step
   */
  public record Series(
      long[] times,
      double[] prices,
      double[] targets,
      double[] exposures,
      double[] equity,
      double[] fees,
      double[] slippage,
      double[] borrow,
      double[] turnover)
      implements Serializable {
    /** Number of steps. */
    public int size() {
      return times.length;
    }
  }

  /** Equity at the close of the first decision. */
  public double initialEquity() {
    return start.equity();
  }

  /** The simple return of each step, net of all costs. */
  public double[] returns() {
    double[] equity = series.equity();
    double[] returns = new double[equity.length];
    double before = initialEquity();
    for (int i = 0; i < equity.length; i++) {
      returns[i] = equity[i] / before - 1;
      before = equity[i];
    }
    return returns;
  }

  /** The reward of each step: ln(E[t+1] / E[t]), net of all costs. */
  public double[] logReturns() {
    double[] equity = series.equity();
    double[] returns = new double[equity.length];
    double before = initialEquity();
    for (int i = 0; i < equity.length; i++) {
      returns[i] = TradingEnvironment.reward(before, equity[i]);
      before = equity[i];
    }
    return returns;
  }
}
