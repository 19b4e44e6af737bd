package io.quantail.market.backtest;

import io.quantail.market.backtest.BacktestResult.Series;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.limits.LimitCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Chains passes over consecutive ranges into one account: each pass starts flat, with the equity at
 * the end of the pass before. Amounts of money are scaled accordingly; trades keep the amounts of
 * their own pass.
 *
 * <p>A position that is open at the end of a pass is closed at the last mark without costs, unless
 * the pass ended with a sale; the next pass pays for entering again. Agents and baselines are
 * treated alike. Tested by {@code ChainedAccountTest}.
 */
public final class ChainedAccount {
  private ChainedAccount() {}

  /**
   * The account of passes of one policy.
   *
   * @param symbol name of the symbol
   * @param passes in order of time
   */
  public static BacktestResult of(String symbol, List<BacktestResult> passes) {
    double[] scales = scales(passes);
    BacktestResult first = passes.get(0);
    int bars = passes.stream().mapToInt(pass -> pass.series().size()).sum();
    double barsPerYear =
        passes.stream().mapToDouble(pass -> pass.barsPerYear() * pass.series().size()).sum() / bars;
    List<FilledOrder> trades = new ArrayList<>();
    passes.forEach(pass -> trades.addAll(pass.trades()));
    return new BacktestResult(
        symbol,
        first.policy(),
        first.start(),
        barsPerYear,
        series(passes, scales),
        List.copyOf(trades),
        passes.stream().map(BacktestResult::risk).reduce(ChainedAccount::add).orElseThrow(),
        passes.stream().anyMatch(BacktestResult::ruined));
  }

  /** The factor of each pass's money in the chained account. */
  private static double[] scales(List<BacktestResult> passes) {
    double[] scales = new double[passes.size()];
    double equity = passes.get(0).initialEquity();
    for (int i = 0; i < scales.length; i++) {
      BacktestResult pass = passes.get(i);
      scales[i] = equity / pass.initialEquity();
      double[] marks = pass.series().equity();
      equity = marks[marks.length - 1] * scales[i];
    }
    return scales;
  }

  private static Series series(List<BacktestResult> passes, double[] scales) {
    double[] ones = new double[scales.length];
    Arrays.fill(ones, 1);
    return new Series(
        passes.stream().flatMapToLong(pass -> Arrays.stream(pass.series().times())).toArray(),
        joined(passes, Series::prices, ones),
        joined(passes, Series::targets, ones),
        joined(passes, Series::exposures, ones),
        joined(passes, Series::equity, scales),
        joined(passes, Series::fees, scales),
        joined(passes, Series::slippage, scales),
        joined(passes, Series::borrow, scales),
        joined(passes, Series::turnover, ones));
  }

  private static double[] joined(
      List<BacktestResult> passes, Function<Series, double[]> column, double[] scales) {
    double[] all = new double[passes.stream().mapToInt(pass -> pass.series().size()).sum()];
    int at = 0;
    for (int i = 0; i < scales.length; i++) {
      for (double value : column.apply(passes.get(i).series())) {
        all[at++] = value * scales[i];
      }
    }
    return all;
  }

  private static LimitCounts add(LimitCounts one, LimitCounts other) {
    return new LimitCounts(
        one.maxWeight() + other.maxWeight(),
        one.drawdownStop() + other.drawdownStop(),
        one.dailyLossStops() + other.dailyLossStops(),
        one.cooldown() + other.cooldown(),
        one.turnover() + other.turnover(),
        one.killFile() + other.killFile());
  }
}
