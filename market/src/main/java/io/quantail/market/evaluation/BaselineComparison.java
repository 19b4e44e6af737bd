package io.quantail.market.evaluation;

import io.quantail.market.Market;
import io.quantail.market.MarketPass;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.performance.Performance;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TargetWeightMap;
import io.quantail.math.ReturnSeriesStatistics;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * An agent and its baselines on one symbol. Each is a weight at every close, traded through the
 * same environment: same costs, fills at the next open, {@code minRebalance} and risk limits.
 *
 * <p>The largest weight of a baseline is that of the agent's actions. Two baselines know the
 * agent's result on the same bars, so nobody could have traded them: they separate what the agent
 * decided from how much it held. Tested by {@code BaselineComparisonTest} and the vector {@code
 * baselines_through_the_account}.
 *
 * @param entries the agent first, then the baselines
 */
public record BaselineComparison(List<Entry> entries) implements Serializable {
  /** Name of the agent's policy in results. */
  public static final String AGENT = "agent";

  /** Name of the baseline that always holds the largest weight. */
  public static final String BUY_AND_HOLD = "buyAndHold";

  /** Name of the baseline that always holds the agent's mean weight on the same bars. */
  public static final String EXPOSURE_MATCHED = "exposureMatched";

  /**
   * Name of the baseline whose expected shortfall of a bar is the limit: min(1, |limit| / (c
   * σ[t])); only with a limit on the log-return of a bar, see {@link Market#barLimit}.
   */
  public static final String ES_TARGET = "esTarget";

  /** Name of the baseline that is invested while the close is above the mean of 200 closes. */
  public static final String MOVING_AVERAGE = "sma200";

  /**
   * Name of the baseline whose volatility is that of the agent's log-returns on the same bars:
   * min(1, d / σ[t]).
   */
  public static final String VOLATILITY_MATCHED = "volatilityMatched";

  /** Name of the baseline that never holds a position. */
  public static final String FLAT = "flat";

  /** Name of the baseline that acts at random. */
  public static final String RANDOM = "random";

  private static final int AVERAGE_BARS = 200;

  private static final Map<String, String> TITLES =
      Map.of(
          BUY_AND_HOLD, "buy-and-hold",
          EXPOSURE_MATCHED, "agent's mean weight (hindsight)",
          ES_TARGET, "expected-shortfall target",
          MOVING_AVERAGE, "200-bar average",
          VOLATILITY_MATCHED, "agent's volatility (hindsight)");

  /**
   * One policy of a comparison.
   *
   * @param result series and trades of the pass
   * @param performance performance measures of the pass
   */
  public record Entry(BacktestResult result, Performance performance) implements Serializable {}

  public BaselineComparison {
    entries = List.copyOf(entries);
  }

  /**
   * Runs each pass over a part of the bars, see {@link Market#passes}, once with each policy.
   *
   * @param seed of the random baseline and of the bootstrap
   */
  public static List<BaselineComparison> of(
      Market market, SplitPart split, TradingPolicy agent, long seed) {
    List<BaselineComparison> comparisons = new ArrayList<>();
    for (MarketPass pass : market.passes(split)) {
      List<Entry> entries = new ArrayList<>();
      BacktestResult judged = Backtest.run(pass, AGENT, agent);
      entries.add(new Entry(judged, Performance.of(judged, seed)));
      for (Map.Entry<String, TradingPolicy> baseline : baselines(market, judged, seed).entrySet()) {
        BacktestResult result = Backtest.run(pass, baseline.getKey(), baseline.getValue());
        entries.add(new Entry(result, Performance.of(result, seed)));
      }
      comparisons.add(new BaselineComparison(entries));
    }
    return comparisons;
  }

  /** The baselines of an agent's pass, in the order of reports. */
  private static Map<String, TradingPolicy> baselines(
      Market market, BacktestResult agent, long seed) {
    TargetWeightMap actions = market.rules().actions();
    double most = actions.maxWeight();
    Map<String, TradingPolicy> policies = new LinkedHashMap<>();
    policies.put(BUY_AND_HOLD, BaselinePolicies.buyAndHold(actions));
    policies.put(
        EXPOSURE_MATCHED,
        BaselinePolicies.constant(ReturnSeriesStatistics.mean(agent.series().exposures())));
    market
        .volatility()
        .filter(volatility -> market.barLimit().isPresent())
        .map(volatility -> volatility.target(market.barLimit().getAsDouble()))
        .filter(OptionalDouble::isPresent)
        .ifPresent(
            target ->
                policies.put(
                    ES_TARGET, BaselinePolicies.volatilityTarget(target.getAsDouble(), most)));
    policies.put(MOVING_AVERAGE, BaselinePolicies.movingAverage(AVERAGE_BARS, most));
    policies.put(VOLATILITY_MATCHED, BaselinePolicies.volatilityTarget(volatility(agent), most));
    policies.put(FLAT, BaselinePolicies.flat());
    policies.put(RANDOM, BaselinePolicies.random(actions, seed));
    return policies;
  }

  /** Standard deviation (ddof 1) of the log-returns of a pass; 0 for a single bar. */
  private static double volatility(BacktestResult agent) {
    return agent.series().size() < 2 ? 0 : ReturnSeriesStatistics.deviation(agent.logReturns());
  }

  /** The name of a policy in plain words, for tables and charts. */
  public static String title(String policy) {
    return TITLES.getOrDefault(policy, policy);
  }

  /** The names of all policies whose plain words differ from their name. */
  public static Map<String, String> titles() {
    return TITLES;
  }

  /** Whether a baseline depends on the agent's result on the same bars. */
  public static boolean isHindsight(String policy) {
    return policy.equals(EXPOSURE_MATCHED) || policy.equals(VOLATILITY_MATCHED);
  }

  /**
   * Chains comparisons on consecutive bars of one symbol.
   *
   * @param symbol name of the symbol
   * @param parts in order of time; policies that one of them lacks are left out
   * @param seed of the bootstrap
   */
  public static BaselineComparison chained(
      String symbol, List<BaselineComparison> parts, long seed) {
    List<Entry> entries = new ArrayList<>();
    for (Entry first : parts.get(0).entries()) {
      String policy = first.result().policy();
      if (parts.stream().allMatch(part -> part.has(policy))) {
        List<BacktestResult> passes = results(parts, policy);
        BacktestResult whole = ChainedAccount.of(symbol, passes);
        entries.add(new Entry(whole, Performance.of(whole, seed)));
      }
    }
    return new BaselineComparison(entries);
  }

  /** The passes of a policy, one of each comparison. */
  public static List<BacktestResult> results(List<BaselineComparison> symbols, String policy) {
    return symbols.stream().map(symbol -> symbol.entry(policy).result()).toList();
  }

  /** The entry of the agent. */
  public Entry agent() {
    return entries.get(0);
  }

  /** The entries of the baselines. */
  public List<Entry> baselines() {
    return entries.subList(1, entries.size());
  }

  /** The entry of a policy. */
  public Entry entry(String policy) {
    return entries.stream()
        .filter(entry -> entry.result().policy().equals(policy))
        .findFirst()
        .orElseThrow();
  }

  /** Whether a policy is part of the comparison. */
  public boolean has(String policy) {
    return entries.stream().anyMatch(entry -> entry.result().policy().equals(policy));
  }

  /** Name of the symbol. */
  public String symbol() {
    return agent().result().symbol();
  }
}
