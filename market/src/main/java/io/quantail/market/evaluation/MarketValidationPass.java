package io.quantail.market.evaluation;

import io.quantail.config.ConfigException;
import io.quantail.market.Market;
import io.quantail.market.MarketPass;
import io.quantail.market.backtest.AgentTradingPolicy;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.data.DataException;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.math.ReturnSeriesStatistics;
import io.quantail.model.ActingModel;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.run.evaluation.ValidationPass;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * One pass over the validation bars of each symbol, through the same environment and account as the
 * evaluation after training; without baselines, intervals and forecasts, which take most of its
 * time.
 *
 * <p>{@code validation/return} is the score of {@link MarketEvaluationResult} on the same bars.
 * Tested by {@code MarketValidationPassTest}.
 *
 * @param market bars, features and trading rules
 * @param alpha fraction of the worst bars whose mean is the CVaR
 */
record MarketValidationPass(Market market, double alpha) implements ValidationPass {

  /**
   * Checks that every symbol that takes part has enough bars.
   *
   * @throws ConfigException if a symbol has too few, or none has any
   */
  MarketValidationPass {
    passes(market).forEach(MarketValidationPass::requireBars);
  }

  private static List<MarketPass> passes(Market market) {
    return market.passes(SplitPart.VALIDATION);
  }

  private static void requireBars(MarketPass pass) {
    int bars = pass.range().size();
    if (bars == 0) {
      throw new ConfigException("market.split leaves no validation bars of " + pass.name());
    }
    try {
      pass.environment();
    } catch (DataException tooFew) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "the %d validation bars of %s are too few after the warm-up",
              bars,
              pass.name()));
    }
  }

  @Override
  public long decisions() {
    return passes(market).stream().mapToLong(pass -> pass.environment().range().size() - 1L).sum();
  }

  @Override
  public Map<String, Double> run(ActingModel agent) {
    AgentTradingPolicy policy = new AgentTradingPolicy(agent);
    List<BacktestResult> passes =
        passes(market).stream()
            .map(pass -> Backtest.run(pass, BaselineComparison.AGENT, policy))
            .toList();
    Map<String, Double> metrics = new TreeMap<>();
    metrics.put(SCORE, mean(passes, MarketValidationPass::score));
    metrics.put("validation/cvar", cvar(passes));
    metrics.put(
        "validation/exposure",
        mean(passes, pass -> ReturnSeriesStatistics.mean(pass.series().exposures())));
    metrics.put(
        "validation/turnover",
        mean(passes, pass -> ReturnSeriesStatistics.mean(pass.series().turnover())));
    metrics.put("validation/trades", mean(passes, pass -> pass.trades().size()));
    double sharpe = mean(passes, pass -> ReturnSeriesStatistics.sharpe(pass.returns(), 1));
    if (Double.isFinite(sharpe)) { // an account that never trades has none
      metrics.put("validation/sharpe", sharpe);
    }
    return metrics;
  }

  /** The log of final over first equity. */
  private static double score(BacktestResult pass) {
    double[] equity = pass.series().equity();
    return TradingEnvironment.reward(pass.initialEquity(), equity[equity.length - 1]);
  }

  private double cvar(List<BacktestResult> passes) {
    double[] bars = passes.stream().flatMapToDouble(p -> Arrays.stream(p.logReturns())).toArray();
    return EmpiricalCvar.empirical(bars, alpha, 0).cvar();
  }

  private static double mean(
      List<BacktestResult> passes, ToDoubleFunction<BacktestResult> measure) {
    return passes.stream().mapToDouble(measure).average().orElseThrow();
  }
}
