package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketLimit;
import io.quantail.market.evaluation.Verdict;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the bars of a walk-forward prove.
 *
 * @param medianSeed seed whose chained account has the median return
 * @param verdicts on the chained account of each seed
 * @param limits limit on the chained account of each seed; empty if the run has none
 * @param folds limit of each agent, as in its run; those of runs without one are left out
 */
public record WalkForwardEvidence(
    long medianSeed,
    Map<Long, Verdict> verdicts,
    Map<Long, LimitResult> limits,
    Map<FoldAgent, LimitResult> folds) {

  /**
   * One agent.
   *
   * @param fold number of its fold
   * @param seed of the agent
   */
  public record FoldAgent(int fold, long seed) {}

  /**
   * Weighs a walk-forward.
   *
   * @param stored limit in the run of an agent
   */
  public static WalkForwardEvidence of(
      RunConfig config,
      WalkForwardResult result,
      Function<FoldResult, Optional<LimitResult>> stored) {
    Map<Long, Verdict> verdicts = new LinkedHashMap<>();
    for (SeedResult seed : result.seeds()) {
      verdicts.put(seed.seed(), Verdict.of(seed.symbols(), seed.seed()));
    }
    Map<Long, LimitResult> limits = new LinkedHashMap<>();
    Map<FoldAgent, LimitResult> folds = new LinkedHashMap<>();
    if (config.risk().limit() != null) {
      for (SeedResult seed : result.seeds()) {
        MarketLimit limit = new MarketLimit(config, seed.seed());
        List<BacktestResult> accounts =
            BaselineComparison.results(seed.symbols(), BaselineComparison.AGENT);
        limits.put(
            seed.seed(), LimitResult.of(config.risk(), List.of(limit.measure("test", accounts))));
      }
      for (FoldResult agent : result.outcomes()) {
        stored
            .apply(agent)
            .ifPresent(one -> folds.put(new FoldAgent(agent.fold(), agent.seed()), one));
      }
    }
    return new WalkForwardEvidence(result.medianSeed().seed(), verdicts, limits, folds);
  }

  /** The verdict on the chained account of the median seed. */
  public Verdict verdict() {
    return Objects.requireNonNull(verdicts.get(medianSeed));
  }

  /** Status of an agent's limit on its test bars; a dash if it is not known. */
  public String status(FoldResult agent) {
    LimitResult limit = folds.get(new FoldAgent(agent.fold(), agent.seed()));
    return limit == null ? "–" : limit.status().id();
  }

  /** One sentence on the median seed. */
  public String headline() {
    return VerdictText.headline(verdict(), DataPart.TEST)
        .replaceFirst("the agent", "the median seed, fold after fold,");
  }

  /** One sentence on all seeds. */
  public static String seeds(WalkForwardResult result) {
    return String.format(
        Locale.ROOT,
        "%d of %d seeds ended above buy-and-hold (%+.2f %%), between %+.2f %% and %+.2f %%.",
        result.seedsAboveBuyAndHold(),
        result.seeds().size(),
        100 * result.medianSeed().totalReturn(BaselineComparison.BUY_AND_HOLD),
        100 * result.spread().worst(),
        100 * result.spread().best());
  }
}
