package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.AccountVerdict;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.Verdict;
import io.quantail.market.execution.FilledOrder;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.performance.Performance;
import io.quantail.random.RandomStream;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitEstimate.Samples;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.YamlConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Tear sheets of generated accounts. */
final class SheetFixture {
  private static final List<String> POLICIES =
      List.of(
          BaselineComparison.AGENT,
          BaselineComparison.BUY_AND_HOLD,
          BaselineComparison.EXPOSURE_MATCHED,
          BaselineComparison.ES_TARGET,
          BaselineComparison.MOVING_AVERAGE,
          BaselineComparison.VOLATILITY_MATCHED,
          BaselineComparison.FLAT,
          BaselineComparison.RANDOM);
  private static final double ALPHA = 0.05;

  private SheetFixture() {}

  /**
   * A page with the tear sheet of one symbol, forecasts included.
   *
   * @param bars number of bars, from 2015-01-01 on
   * @param minutes length of a bar
   */
  static String page(int bars, int minutes) {
    Page page = new Page("generated");
    page.header().appendElement("h1").text("Generated bars");
    List<BaselineComparison> symbols = List.of(comparison(bars, minutes));
    RiskConfig risk = YamlConfig.parse("risk: {limit: -0.02}", "generated", List.of()).risk();
    TearSheet sheet = new TearSheet(page, risk, 1, symbols);
    AccountVerdict verdict = Verdict.of(symbols, 1).account();
    sheet.header(limit(sheet, risk), verdict, null);
    sheet.add(List.of(forecast(symbols.get(0).agent().result())));
    return page.html();
  }

  private static LimitResult limit(TearSheet sheet, RiskConfig risk) {
    Samples returns = new Samples("bars", false, sheet.whole().agent().logReturns());
    LimitEstimate estimate = LimitEstimate.of(returns, risk, 1);
    return LimitResult.of(
        risk, List.of(new LimitPart("test", estimate, null, null, null, Map.of())));
  }

  private static TailForecast forecast(BacktestResult agent) {
    double[] var = new double[agent.series().size()];
    Arrays.setAll(var, t -> -0.016 * agent.series().exposures()[t]);
    return new TailForecast(ALPHA, var, var);
  }

  private static BaselineComparison comparison(int bars, int minutes) {
    List<BaselineComparison.Entry> entries = new ArrayList<>();
    Performance performance = null;
    for (String policy : POLICIES) {
      BacktestResult pass = pass(policy, bars, minutes);
      // One bootstrap for all baselines: only the page matters.
      performance =
          performance == null || entries.size() == 1 ? Performance.of(pass, 1) : performance;
      entries.add(new BaselineComparison.Entry(pass, performance));
    }
    return new BaselineComparison(entries);
  }

  private static BacktestResult pass(String policy, int bars, int minutes) {
    RandomStream prices = RandomStream.of(1, "prices", 0);
    RandomStream weights = RandomStream.of(1, "weights/" + policy, 0);
    boolean agent = policy.equals(BaselineComparison.AGENT);
    long first = Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();
    long length = 60_000L * minutes;
    long[] times = new long[bars];
    double[][] columns = new double[5][bars]; // price, weight, equity, fee, turnover
    List<FilledOrder> fills = new ArrayList<>();
    double price = 100;
    double equity = 10_000;
    double weight = 1;
    for (int t = 0; t < bars; t++) {
      double move = Math.expm1(0.01 * prices.nextGaussian());
      if (agent && t % 7 == 0) {
        double before = weight;
        weight = Math.max(0, weights.nextDouble() - 0.1);
        double units = (weight - before) * equity / price;
        fills.add(new FilledOrder(first + t * length, t, units, price, price, 0, 0.1));
        columns[3][t] = 0.1;
        columns[4][t] = Math.abs(weight - before);
      }
      price *= 1 + move;
      equity *= 1 + weight * move;
      times[t] = first + (t + 1) * length;
      columns[0][t] = price;
      columns[1][t] = weight;
      columns[2][t] = equity;
    }
    double[] none = new double[bars];
    return new BacktestResult(
        "GEN",
        policy,
        new BacktestResult.Start(first, 100, 10_000),
        365.25 * 1440 / minutes,
        new BacktestResult.Series(
            times,
            columns[0],
            columns[1],
            columns[1],
            columns[2],
            columns[3],
            none,
            none,
            columns[4]),
        fills,
        new LimitCounts(0, 0, 0, 0, 0, 0),
        false);
  }
}
