package io.quantail.market.evaluation;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.trading.TradingEnvironment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The account of a policy that is divided equally among the symbols, on the bars that all of them
 * have. What a symbol earns between two of these bars belongs to the later one; money is not moved
 * between symbols. An account that ended early keeps what it had left. Arrays are shared and must
 * not be changed. {@code CombinedAccountTest} has numbers worked by hand.
 *
 * @param times closes of the common bars
 * @param logReturns of each of them, net of all costs
 */
public record CombinedAccount(long[] times, double[] logReturns) {

  /** Combines the passes of a policy over the symbols of a comparison. */
  static CombinedAccount of(List<BaselineComparison> symbols, String policy) {
    return of(
        symbols.stream().map(CombinedAccount::times).toList(),
        symbols.stream().map(symbol -> symbol.entry(policy).result()).toList());
  }

  /** Combines passes, one for each symbol. */
  public static CombinedAccount of(List<BacktestResult> passes) {
    return of(passes.stream().map(pass -> pass.series().times()).toList(), passes);
  }

  /** The closes of a symbol's bars; an account that ended early has fewer. */
  private static long[] times(BaselineComparison symbol) {
    return symbol.entries().stream()
        .map(entry -> entry.result().series().times())
        .max(Comparator.comparingInt(times -> times.length))
        .orElseThrow();
  }

  private static CombinedAccount of(List<long[]> bars, List<BacktestResult> passes) {
    long[] common = common(bars);
    double[] equity = new double[common.length + 1]; // the first is before the first common bar
    for (int symbol = 0; symbol < passes.size() && common.length > 0; symbol++) {
      BacktestResult pass = passes.get(symbol);
      int bar = Arrays.binarySearch(bars.get(symbol), common[0]);
      double first = equityAfter(pass, bar - 1);
      double scale = passes.size() == 1 ? 1 : 1 / (first * passes.size());
      equity[0] += scale * first;
      for (int i = 0; i < common.length; i++, bar++) {
        while (bars.get(symbol)[bar] < common[i]) {
          bar++;
        }
        equity[i + 1] += scale * equityAfter(pass, bar);
      }
    }
    double[] logReturns = new double[common.length];
    for (int i = 0; i < common.length; i++) {
      boolean solvent = equity[i] > 0;
      logReturns[i] = solvent ? TradingEnvironment.reward(equity[i], equity[i + 1]) : 0;
    }
    return new CombinedAccount(common, logReturns);
  }

  private static double equityAfter(BacktestResult pass, int bar) {
    double[] equity = pass.series().equity();
    return bar < 0 ? pass.initialEquity() : Math.max(0, equity[Math.min(bar, equity.length - 1)]);
  }

  private static long[] common(List<long[]> bars) {
    List<long[]> others = new ArrayList<>(bars.subList(1, bars.size()));
    return Arrays.stream(bars.get(0))
        .filter(time -> others.stream().allMatch(own -> Arrays.binarySearch(own, time) >= 0))
        .toArray();
  }

  /** Last over first equity, minus 1. */
  public double totalReturn() {
    return Math.expm1(Arrays.stream(logReturns).sum());
  }

  /** The simple return of each common bar. */
  double[] returns() {
    return Arrays.stream(logReturns).map(Math::expm1).toArray();
  }
}
