package io.quantail.market.desk;

import io.quantail.market.backtest.Backtest;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.Baselines;
import io.quantail.market.backtest.TradingPolicy;
import io.quantail.market.performance.Performance;
import io.quantail.market.performance.Performances;
import io.quantail.market.setup.Market;
import io.quantail.market.split.Split;
import io.quantail.market.trading.ActionMap;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a policy did on one symbol, beside what needs no skill; all through the same environment.
 *
 * @param entries the policy first, then buy-and-hold, flat and random
 */
public record Comparison(List<Entry> entries) implements Serializable {
  public static final String AGENT = "agent";
  public static final String BUY_AND_HOLD = "buyAndHold";

  /**
   * @param result what happened, step by step
   * @param performance what it comes to
   */
  public record Entry(BacktestResult result, Performance performance) implements Serializable {}

  public Comparison {
    entries = List.copyOf(entries);
  }

  /**
   * One pass over a part of each symbol's bars.
   *
   * @param seed of the random baseline and of the bootstrap
   */
  public static List<Comparison> of(Market market, Split split, TradingPolicy agent, long seed) {
    ActionMap actions = market.rules().actions();
    Map<String, TradingPolicy> policies = new LinkedHashMap<>();
    policies.put(AGENT, agent);
    policies.put(BUY_AND_HOLD, Baselines.buyAndHold(actions));
    policies.put("flat", Baselines.flat(actions));
    policies.put("random", Baselines.random(actions, seed));
    List<Comparison> comparisons = new ArrayList<>();
    for (int symbol = 0; symbol < market.instruments().size(); symbol++) {
      List<Entry> entries = new ArrayList<>();
      for (Map.Entry<String, TradingPolicy> policy : policies.entrySet()) {
        BacktestResult result =
            Backtest.run(market.pass(symbol, split), policy.getKey(), policy.getValue());
        entries.add(new Entry(result, Performances.of(result, seed)));
      }
      comparisons.add(new Comparison(entries));
    }
    return comparisons;
  }

  public Entry agent() {
    return entries.get(0);
  }

  public List<Entry> baselines() {
    return entries.subList(1, entries.size());
  }

  public String symbol() {
    return agent().result().symbol();
  }
}
