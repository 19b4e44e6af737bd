package io.quantail.market.backtest;

import io.quantail.market.trading.TradingEnvironment;
import java.util.Arrays;
import java.util.List;

/**
 * The account of a policy that is divided equally among symbols at the start. Its bars are the
 * closes of all symbols together: a symbol without a bar at some time keeps its last value, and an
 * account that ended early keeps what it had left, never less than 0. Money is not moved between
 * symbols.
 *
 * <p>Bars per year are the closes over the time from the earliest start of a symbol to the last
 * close, because the mean and the variance of a year's returns grow with the number of closes that
 * the series really has: symbols that close at different times make more of them than each symbol
 * has by itself, and the mean over the symbols would make a Sharpe ratio too small. A symbol with n
 * bars and N bars per year starts n/N years before its last close, so that gaps between chained
 * passes are no time. For one symbol, and for symbols that close at the same times, it is N.
 *
 * <p>Arrays are shared and must not be changed. {@code CombinedAccountTest} has numbers worked by
 * hand.
 *
 * @param times closes, milliseconds since 1970 (UTC), ascending
 * @param equity over the equity at the start, at each close
 * @param logReturns of each close, net of all costs; for one symbol those of its pass
 * @param barsPerYear for annualisation
 */
public record CombinedAccount(
    long[] times, double[] equity, double[] logReturns, double barsPerYear) {
  private static final double YEAR_MILLIS = 365.25 * 24 * 3600 * 1000;

  /** The account of one pass for each symbol, at all of their closes. */
  public static CombinedAccount of(List<BacktestResult> passes) {
    return of(passes, closes(passes));
  }

  /**
   * The account of one pass for each symbol, at given closes.
   *
   * @param times such as the closes of another policy, so that both can be compared
   */
  public static CombinedAccount of(List<BacktestResult> passes, long[] times) {
    double start = 0;
    double[] money = new double[times.length];
    for (BacktestResult pass : passes) {
      // The equity of a single symbol is not scaled: its log-returns keep all digits.
      double scale = passes.size() == 1 ? 1 : 1 / (pass.initialEquity() * passes.size());
      start += scale * pass.initialEquity();
      add(pass, scale, times, money);
    }
    double[] equity = new double[times.length];
    double[] logReturns = new double[times.length];
    double before = start;
    for (int t = 0; t < times.length; t++) {
      equity[t] = money[t] / start;
      logReturns[t] = before > 0 ? TradingEnvironment.reward(before, money[t]) : 0;
      before = money[t];
    }
    return new CombinedAccount(times, equity, logReturns, barsPerYear(passes, times));
  }

  /** Adds the value of a pass at each time. */
  private static void add(BacktestResult pass, double scale, long[] times, double[] money) {
    int[] seen = seen(pass, times);
    for (int t = 0; t < times.length; t++) {
      double equity = seen[t] == 0 ? pass.initialEquity() : pass.series().equity()[seen[t] - 1];
      money[t] += scale * Math.max(0, equity);
    }
  }

  /** The number of steps of a pass whose close is not after each time. */
  public static int[] seen(BacktestResult pass, long[] times) {
    long[] own = pass.series().times();
    int[] counts = new int[times.length];
    int seen = 0;
    for (int t = 0; t < times.length; t++) {
      while (seen < own.length && own[seen] <= times[t]) {
        seen++;
      }
      counts[t] = seen;
    }
    return counts;
  }

  private static double barsPerYear(List<BacktestResult> passes, long[] times) {
    double years = Double.NaN;
    for (BacktestResult pass : passes) {
      long[] own = pass.series().times();
      double after = (times[times.length - 1] - own[own.length - 1]) / YEAR_MILLIS;
      double since = own.length / pass.barsPerYear() + after;
      years = since <= years ? years : since;
    }
    return times.length / years;
  }

  /** All closes of passes, each once. */
  public static long[] closes(List<BacktestResult> passes) {
    long[] all = {};
    for (BacktestResult pass : passes) {
      all = union(all, pass.series().times());
    }
    return all;
  }

  private static long[] union(long[] first, long[] second) {
    if (Arrays.equals(first, second)) {
      return first;
    }
    long[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    Arrays.sort(both);
    int size = 0;
    for (long time : both) {
      if (size == 0 || time != both[size - 1]) {
        both[size++] = time;
      }
    }
    return Arrays.copyOf(both, size);
  }

  /** Last over first equity, minus 1. */
  public double totalReturn() {
    return equity[equity.length - 1] - 1;
  }

  /** The simple return of each close; 0 for an account without money. */
  public double[] returns() {
    double[] returns = new double[equity.length];
    double before = 1;
    for (int t = 0; t < returns.length; t++) {
      returns[t] = before > 0 ? equity[t] / before - 1 : 0;
      before = equity[t];
    }
    return returns;
  }
}
