package io.quantail.market.performance;

import io.quantail.evidence.BarDays;
import io.quantail.market.backtest.CombinedAccount;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calendar year (UTC) in which the market fell deepest, and how deep an agent fell in it. A
 * drawdown of a year is the largest 1 − E / highest E since the last close of the year before.
 * {@code DrawdownYearTest} has numbers worked by hand.
 *
 * @param year in which buy-and-hold has its deepest drawdown; the first of equal ones
 * @param agent drawdown of the agent in that year
 * @param meanWeight drawdown of the agent's mean weight, held all the time; null if it was not
 *     traded
 * @param buyAndHold drawdown of buy-and-hold
 */
public record DrawdownYear(int year, double agent, @Nullable Double meanWeight, double buyAndHold) {

  /**
   * Finds the year.
   *
   * @param agent account of the agent
   * @param meanWeight account that held the agent's mean weight, at the same closes; without closes
   *     if it was not traded
   * @param market account of buy-and-hold at the same closes
   * @return empty if buy-and-hold was not traded
   */
  public static Optional<DrawdownYear> of(
      CombinedAccount agent, CombinedAccount meanWeight, CombinedAccount market) {
    long[] times = market.times();
    int deepest = 0;
    double depth = -1;
    for (int from = 0; from < times.length; from = end(times, from)) {
      double drawdown = drawdown(market.equity(), from, end(times, from));
      if (drawdown > depth) {
        deepest = from;
        depth = drawdown;
      }
    }
    if (depth < 0) {
      return Optional.empty();
    }
    int end = end(times, deepest);
    return Optional.of(
        new DrawdownYear(
            BarDays.year(times[deepest]),
            drawdown(agent.equity(), deepest, end),
            meanWeight.times().length == 0 ? null : drawdown(meanWeight.equity(), deepest, end),
            depth));
  }

  /** The first close of the year after that of a close; the number of closes if there is none. */
  private static int end(long[] times, int from) {
    int year = BarDays.year(times[from]);
    int end = from + 1;
    while (end < times.length && BarDays.year(times[end]) == year) {
      end++;
    }
    return end;
  }

  private static double drawdown(double[] equity, int from, int to) {
    double peak = from == 0 ? 1 : equity[from - 1];
    double deepest = 0;
    for (int t = from; t < to; t++) {
      peak = Math.max(peak, equity[t]);
      deepest = peak > 0 ? Math.max(deepest, 1 - equity[t] / peak) : deepest;
    }
    return deepest;
  }
}
