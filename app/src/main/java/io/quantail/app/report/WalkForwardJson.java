package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.evaluation.Verdict;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardFold;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.market.walkforward.WalkForwardResult.Spread;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The record of {@code walkforward --json} and {@code walkforward.json}.
 *
 * @param run the directory
 * @param folds results of each fold
 * @param seeds each seed's agents as one chained account
 * @param medianSeed the seed with the median return; of two, the lower
 * @param totalReturn of the median seed
 * @param baselines return of each baseline
 * @param spread range over seeds of the chained returns
 * @param beatsBuyAndHold whether the median seed earned more than buy-and-hold
 * @param seedsAboveBuyAndHold number of seeds that did
 * @param verdict on the chained account of the median seed
 * @param limit of the same account; null if the run has none
 * @param withoutLimit what the limit cost; null if it was not measured
 * @param report path of the page
 */
public record WalkForwardJson(
    String run,
    List<FoldNumbers> folds,
    List<SeedNumbers> seeds,
    long medianSeed,
    double totalReturn,
    Map<String, Double> baselines,
    Spread spread,
    boolean beatsBuyAndHold,
    long seedsAboveBuyAndHold,
    Verdict verdict,
    @Nullable LimitResult limit,
    @Nullable StudyLimitCost withoutLimit,
    String report) {

  /**
   * Results of one fold.
   *
   * @param fold number of the fold
   * @param train range of closes of the training bars
   * @param test range of closes of the test bars
   * @param spread range over seeds
   * @param agents return of each seed's agent
   * @param limits limit of each seed's agent on training, validation and test bars; empty if the
   *     run has none
   * @param baselines return of each baseline; random has another seed in each agent's run; this is
   *     the first
   */
  record FoldNumbers(
      int fold,
      String train,
      String test,
      Spread spread,
      Map<Long, Double> agents,
      Map<Long, LimitResult> limits,
      Map<String, Double> baselines) {}

  /**
   * Results of one seed.
   *
   * @param seed of the agents
   * @param stitched chained accounts of the agent and its baselines
   * @param limit of the chained account; null if the run has none
   */
  record SeedNumbers(
      long seed, MarketEvaluationResult.Numbers stitched, @Nullable LimitResult limit) {}

  public static WalkForwardJson of(
      Path directory, Path report, WalkForwardResult result, WalkForwardEvidence evidence) {
    SeedResult median = result.medianSeed();
    double agent = median.totalReturn(BaselineComparison.AGENT);
    return new WalkForwardJson(
        directory.toString(),
        result.folds().stream().map(fold -> numbers(result, fold, evidence)).toList(),
        result.seeds().stream().map(seed -> numbers(seed, evidence)).toList(),
        median.seed(),
        agent,
        baselines(median.symbols(), median::totalReturn),
        result.spread(),
        agent > median.totalReturn(BaselineComparison.BUY_AND_HOLD),
        result.seedsAboveBuyAndHold(),
        evidence.verdict(),
        evidence.limits().get(median.seed()),
        evidence.cost(),
        report.toString());
  }

  private static FoldNumbers numbers(
      WalkForwardResult result, WalkForwardFold fold, WalkForwardEvidence evidence) {
    Map<Long, Double> agents = new LinkedHashMap<>();
    Map<Long, LimitResult> limits = new LinkedHashMap<>();
    evidence
        .folds()
        .forEach(
            (agent, limit) -> {
              if (agent.fold() == fold.number()) {
                limits.put(agent.seed(), limit);
              }
            });
    List<FoldResult> outcomes = result.of(fold);
    outcomes.forEach(one -> agents.put(one.seed(), one.totalReturn(BaselineComparison.AGENT)));
    FoldResult first = outcomes.get(0);
    Map<String, Double> baselines = baselines(first.symbols(), first::totalReturn);
    baselines.keySet().removeIf(BaselineComparison::isHindsight); // those of each seed differ
    return new FoldNumbers(
        fold.number(), fold.train(), fold.test(), result.spread(fold), agents, limits, baselines);
  }

  private static SeedNumbers numbers(SeedResult seed, WalkForwardEvidence evidence) {
    LimitResult limit = evidence.limits().get(seed.seed());
    MarketEvaluationResult.Evidence own =
        new MarketEvaluationResult.Evidence(
            seed.symbols(),
            Objects.requireNonNull(evidence.verdicts().get(seed.seed())),
            limit,
            List.of());
    return new SeedNumbers(
        seed.seed(),
        new MarketEvaluationResult(DataPart.TEST, seed.symbols(), own).numbers(),
        limit);
  }

  private static Map<String, Double> baselines(
      List<BaselineComparison> symbols, ToDoubleFunction<String> totalReturn) {
    Map<String, Double> returns = new LinkedHashMap<>();
    for (BaselineComparison.Entry entry : symbols.get(0).baselines()) {
      String policy = entry.result().policy();
      returns.put(policy, totalReturn.applyAsDouble(policy));
    }
    return returns;
  }
}
