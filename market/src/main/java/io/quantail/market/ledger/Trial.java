package io.quantail.market.ledger;

import io.quantail.config.RunConfig;
import io.quantail.evidence.BarDays;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.Bars;
import io.quantail.math.ReturnSeriesStatistics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation on bars that the agent did not learn from, with its returns.
 *
 * @param entry the line of the ledger
 * @param returns of the agent and of buy-and-hold
 */
public record Trial(LedgerEntry entry, ReturnSeries returns) {

  /**
   * The trial of an agent's passes over the bars of each symbol, which may be chained.
   *
   * @param config settings of the agent
   * @param bars of each symbol, those that were not traded included
   * @param agent pass of the agent over each symbol
   * @param benchmark pass of buy-and-hold over each symbol
   */
  public static Trial of(
      RunConfig config,
      List<Bars> bars,
      List<BacktestResult> agent,
      List<BacktestResult> benchmark) {
    ReturnSeries returns = ReturnSeries.of(agent, benchmark);
    List<String> days = new ArrayList<>();
    for (int symbol = 0; symbol < agent.size(); symbol++) {
      days.addAll(days(bars.get(symbol), agent.get(symbol).series().times()));
    }
    return new Trial(
        entry(LedgerEntry.settingsHash(config), config.seed(), returns, days), returns);
  }

  /** The same bars and agent as a selection, see {@link LedgerEntry.Kind#SELECTION}. */
  public LedgerEntry selection() {
    return entry.asSelection(entry.settings(), entry.seed());
  }

  private static LedgerEntry entry(
      String settings, long seed, ReturnSeries returns, List<String> days) {
    long[] times = returns.times();
    return new LedgerEntry(
        LedgerEntry.Kind.TEST,
        settings,
        seed,
        null,
        sharpe(returns.agent()),
        times.length,
        Instant.ofEpochMilli(times[0]).toString(),
        Instant.ofEpochMilli(times[times.length - 1]).toString(),
        null,
        days,
        null);
  }

  /** The Sharpe ratio per bar; null if it is not defined. */
  static @Nullable Double sharpe(double[] returns) {
    double sharpe = returns.length < 2 ? Double.NaN : ReturnSeriesStatistics.sharpe(returns, 1);
    return Double.isFinite(sharpe) ? sharpe : null;
  }

  /** Hashes of the days of the traded bars. */
  private static List<String> days(Bars bars, long[] traded) {
    double[][] prices = new double[4][traded.length];
    int bar = 0;
    for (int t = 0; t < traded.length; t++) {
      while (bars.time(bar) < traded[t]) {
        bar++;
      }
      prices[0][t] = bars.open(bar);
      prices[1][t] = bars.high(bar);
      prices[2][t] = bars.low(bar);
      prices[3][t] = bars.close(bar);
    }
    return BarDays.hashes(traded, prices[0], prices[1], prices[2], prices[3]);
  }

  /** Evaluations on bars that follow each other as one trial. */
  public static Trial chained(List<Trial> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    ReturnSeries returns = ReturnSeries.chained(parts.stream().map(Trial::returns).toList());
    LedgerEntry first = parts.get(0).entry;
    List<String> days = parts.stream().flatMap(part -> part.entry.days().stream()).toList();
    return new Trial(entry(first.settings(), first.seed(), returns, days), returns);
  }
}
