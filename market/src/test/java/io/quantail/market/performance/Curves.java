package io.quantail.market.performance;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.limits.LimitCounts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Accounts of tests. */
final class Curves {
  private Curves() {}

  /** An account whose closes are 0, 1, 2, … and whose weights are 0. */
  static AccountCurve of(double barsPerYear, double... equity) {
    return new AccountCurve(
        LongStream.range(0, equity.length).toArray(),
        equity,
        new double[equity.length],
        barsPerYear);
  }

  /** The account of simple returns. */
  static AccountCurve ofReturns(double barsPerYear, double... returns) {
    double[] equity = new double[returns.length + 1];
    equity[0] = 1;
    for (int t = 0; t < returns.length; t++) {
      equity[t + 1] = equity[t] * (1 + returns[t]);
    }
    return of(barsPerYear, equity);
  }

  /** A pass that starts with an equity of 100 at time 0. */
  static BacktestResult pass(long[] times, double[] exposures, double[] equity) {
    double[] zero = new double[times.length];
    double[] one = new double[times.length];
    Arrays.fill(one, 1);
    return new BacktestResult(
        "A",
        "agent",
        new BacktestResult.Start(0, 1, 100),
        365,
        new BacktestResult.Series(times, one, exposures, exposures, equity, zero, zero, zero, zero),
        List.of(),
        new LimitCounts(0, 0, 0, 0, 0, 0),
        false);
  }
}
