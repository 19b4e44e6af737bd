package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import java.util.Arrays;
import java.util.List;

/**
 * An account that is divided equally among symbols at the start; a symbol without a bar at some
 * time keeps its last value.
 *
 * @param times closes of all symbols, milliseconds since 1970 (UTC)
 * @param change equity over initial equity, minus 1, at each of them
 * @param barsPerYear mean over the symbols
 */
public record PooledAccount(long[] times, double[] change, double barsPerYear) {
  /** The account of one pass of each symbol. */
  public static PooledAccount of(List<BacktestResult> symbols) {
    long[] times =
        symbols.stream()
            .flatMapToLong(account -> Arrays.stream(account.series().times()))
            .sorted()
            .distinct()
            .toArray();
    double[] change = new double[times.length];
    for (BacktestResult account : symbols) {
      long[] own = account.series().times();
      int seen = 0;
      for (int i = 0; i < times.length; i++) {
        seen += seen < own.length && own[seen] == times[i] ? 1 : 0;
        double equity = seen == 0 ? account.initialEquity() : account.series().equity()[seen - 1];
        change[i] += (equity / account.initialEquity() - 1) / symbols.size();
      }
    }
    double barsPerYear =
        symbols.stream().mapToDouble(BacktestResult::barsPerYear).average().orElseThrow();
    return new PooledAccount(times, change, barsPerYear);
  }
}
