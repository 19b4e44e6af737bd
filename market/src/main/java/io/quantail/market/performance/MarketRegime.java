package io.quantail.market.performance;

import io.quantail.math.ReturnSeriesStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What an account and buy-and-hold earned in one kind of market.
 *
 * <p>A bar belongs to a regime by what was known at the close before it: the standard deviation
 * (ddof 1) of the last {@value #VOLATILITY_BARS} log-returns of the market, divided at the terciles
 * of all bars, and the sign of the market's return over the last {@value #TREND_BARS} bars; a
 * return of 0 counts as up. Bars before these are defined are left out. {@code MarketRegimeTest}
 * has numbers worked by hand.
 *
 * @param name in words
 * @param bars number of bars
 * @param exposure mean weight of the account
 * @param account return of the account over these bars, compounded
 * @param hold the same of buy-and-hold
 */
public record MarketRegime(String name, int bars, double exposure, double account, double hold) {
  /** Log-returns of a trailing volatility. */
  public static final int VOLATILITY_BARS = 20;

  /** Bars of a trailing trend. */
  public static final int TREND_BARS = 60;

  private static final int FEWEST_BARS = 30;

  /**
   * Three regimes by volatility, then two by trend, those that have bars; none if fewer than 30
   * bars can be divided.
   *
   * @param market level of the market at each close of the account, such as its price
   */
  public static List<MarketRegime> of(AccountCurve account, AccountCurve hold, double[] market) {
    int bars = Math.min(Math.min(account.bars(), hold.bars()), market.length - 1);
    if (bars - TREND_BARS < FEWEST_BARS) {
      return List.of();
    }
    double[] volatility = new double[bars + 1];
    double[] trend = new double[bars + 1];
    for (int t = TREND_BARS + 1; t <= bars; t++) { // bar t was decided at close t - 1
      volatility[t] = volatility(market, t - 1);
      trend[t] = market[t - 1] / market[t - 1 - TREND_BARS] - 1;
    }
    double[] known = Arrays.copyOfRange(volatility, TREND_BARS + 1, bars + 1);
    double low = ReturnSeriesStatistics.quantile(known, 1 / 3.0);
    double high = ReturnSeriesStatistics.quantile(known, 2 / 3.0);
    Accounts both = new Accounts(account, hold, bars);
    List<MarketRegime> regimes = new ArrayList<>();
    regimes.add(both.in("low volatility", t -> volatility[t] <= low));
    regimes.add(both.in("middle volatility", t -> volatility[t] > low && volatility[t] <= high));
    regimes.add(both.in("high volatility", t -> volatility[t] > high));
    regimes.add(both.in("trend up", t -> trend[t] >= 0));
    regimes.add(both.in("trend down", t -> trend[t] < 0));
    return regimes.stream().filter(regime -> regime.bars() > 0).toList();
  }

  private static double volatility(double[] market, int close) {
    double[] returns = new double[VOLATILITY_BARS];
    Arrays.setAll(returns, k -> Math.log(market[close - k] / market[close - k - 1]));
    return ReturnSeriesStatistics.deviation(returns);
  }

  private record Accounts(AccountCurve account, AccountCurve hold, int bars) {
    MarketRegime in(String name, IntPredicate belongs) {
      int[] chosen = IntStream.rangeClosed(TREND_BARS + 1, bars).filter(belongs).toArray();
      return new MarketRegime(
          name,
          chosen.length,
          ReturnSeriesStatistics.mean(
              Arrays.stream(chosen).mapToDouble(t -> account.exposures()[t]).toArray()),
          earned(account.logReturns(), chosen),
          earned(hold.logReturns(), chosen));
    }

    private static double earned(double[] logReturns, int[] chosen) {
      return Math.expm1(Arrays.stream(chosen).mapToDouble(t -> logReturns[t - 1]).sum());
    }
  }
}
