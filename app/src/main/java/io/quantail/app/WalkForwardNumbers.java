package io.quantail.app;

import io.quantail.market.desk.Comparison;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.market.walk.FoldSpan;
import io.quantail.market.walk.WalkForwardResult;
import io.quantail.market.walk.WalkForwardResult.SeedResult;
import io.quantail.market.walk.WalkForwardResult.Spread;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What {@code walkforward --json} shows and {@code walkforward.json} keeps.
 *
 * @param run the directory
 * @param folds each fold by itself
 * @param seeds each seed's agents as one account through all folds
 * @param medianSeed the seed in the middle; of two, the lower
 * @param totalReturn of the median seed
 * @param baselines the same of each baseline
 * @param spread over seeds, of the whole
 * @param beatsBuyAndHold whether the median seed ended above buy-and-hold
 * @param seedsAboveBuyAndHold how many did
 * @param verdict in a sentence
 * @param report path of the page
 */
record WalkForwardNumbers(
    String run,
    List<FoldNumbers> folds,
    List<SeedNumbers> seeds,
    long medianSeed,
    double totalReturn,
    Map<String, Double> baselines,
    Spread spread,
    boolean beatsBuyAndHold,
    long seedsAboveBuyAndHold,
    String verdict,
    String report) {

  /**
   * @param fold its number
   * @param train span of closes that was learnt from
   * @param test span of closes that was judged
   * @param spread over seeds
   * @param agents return of each seed's agent
   * @param baselines return of each baseline; random has a seed of its own in each agent's run,
   *     this is that of the first
   */
  record FoldNumbers(
      int fold,
      String train,
      String test,
      Spread spread,
      Map<Long, Double> agents,
      Map<String, Double> baselines) {}

  /**
   * @param seed of the agents
   * @param stitched the chained account beside chained baselines
   */
  record SeedNumbers(long seed, MarketVerdict.Numbers stitched) {}

  static WalkForwardNumbers of(Path directory, Path report, WalkForwardResult result) {
    SeedResult median = result.medianSeed();
    double agent = median.totalReturn(Comparison.AGENT);
    return new WalkForwardNumbers(
        directory.toString(),
        result.folds().stream().map(fold -> numbers(result, fold)).toList(),
        result.seeds().stream().map(WalkForwardNumbers::numbers).toList(),
        median.seed(),
        agent,
        baselines(median.symbols(), median::totalReturn),
        result.spread(),
        agent > median.totalReturn(Comparison.BUY_AND_HOLD),
        result.seedsAboveBuyAndHold(),
        WalkForwardTable.verdict(result),
        report.toString());
  }

  private static FoldNumbers numbers(WalkForwardResult result, FoldSpan fold) {
    Map<Long, Double> agents = new LinkedHashMap<>();
    List<FoldOutcome> outcomes = result.of(fold);
    outcomes.forEach(one -> agents.put(one.seed(), one.totalReturn(Comparison.AGENT)));
    FoldOutcome first = outcomes.get(0);
    return new FoldNumbers(
        fold.number(),
        fold.train(),
        fold.test(),
        result.spread(fold),
        agents,
        baselines(first.symbols(), first::totalReturn));
  }

  private static SeedNumbers numbers(SeedResult seed) {
    return new SeedNumbers(
        seed.seed(), new MarketVerdict(MarketPart.TEST, seed.symbols()).numbers());
  }

  private static Map<String, Double> baselines(
      List<Comparison> symbols, ToDoubleFunction<String> totalReturn) {
    Map<String, Double> returns = new LinkedHashMap<>();
    for (Comparison.Entry entry : symbols.get(0).baselines()) {
      String policy = entry.result().policy();
      returns.put(policy, totalReturn.applyAsDouble(policy));
    }
    return returns;
  }
}
