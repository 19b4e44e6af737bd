package io.quantail.market.evaluation;

import io.quantail.market.Market;
import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.BaselinePolicies;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.performance.Performance;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.TargetWeightMap;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An agent and its baselines on one symbol, all traded through the same environment.
 *
 * @param entries the agent first, then buy-and-hold, flat and random
 */
public record BaselineComparison(List<Entry> entries) implements Serializable {
  /** Name of the agent's policy in results. */
  public static final String AGENT = "agent";

  /** Name of the baseline that always holds the largest weight. */
  public static final String BUY_AND_HOLD = "buyAndHold";

  /** Name of the baseline that never holds a position. */
  public static final String FLAT = "flat";

  /** Name of the baseline that acts at random. */
  public static final String RANDOM = "random";

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
   * Runs one pass of each policy over a part of each symbol's bars.
   *
   * @param seed of the random baseline and of the bootstrap
   */
  public static List<BaselineComparison> of(
      Market market, SplitPart split, TradingPolicy agent, long seed) {
    TargetWeightMap actions = market.rules().actions();
    Map<String, TradingPolicy> policies = new LinkedHashMap<>();
    policies.put(AGENT, agent);
    policies.put(BUY_AND_HOLD, BaselinePolicies.buyAndHold(actions));
    policies.put(FLAT, BaselinePolicies.flat());
    policies.put(RANDOM, BaselinePolicies.random(actions, seed));
    List<BaselineComparison> comparisons = new ArrayList<>();
    for (int symbol = 0; symbol < market.instruments().size(); symbol++) {
      List<Entry> entries = new ArrayList<>();
      for (Map.Entry<String, TradingPolicy> policy : policies.entrySet()) {
        BacktestResult result =
            Backtest.run(market.pass(symbol, split), policy.getKey(), policy.getValue());
        entries.add(new Entry(result, Performance.of(result, seed)));
      }
      comparisons.add(new BaselineComparison(entries));
    }
    return comparisons;
  }

  /** Return of a policy's account that is divided equally among the symbols at the start. */
  public static double totalReturn(List<BaselineComparison> symbols, String policy) {
    return symbols.stream()
        .map(symbol -> symbol.entry(policy))
        .mapToDouble(entry -> entry.performance().totalReturn())
        .average()
        .orElseThrow();
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

  /** Name of the symbol. */
  public String symbol() {
    return agent().result().symbol();
  }
}
