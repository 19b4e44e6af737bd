package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.MarketLimit;
import io.quantail.market.evaluation.Verdict;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.WalkForwardResult;
import io.quantail.market.walkforward.WalkForwardResult.SeedResult;
import io.quantail.run.evaluation.DataPart;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the bars of a walk-forward prove.
 *
 * @param medianSeed seed whose chained account has the median return
 * @param verdicts on the chained account of each seed
 * @param limits limit on the chained account of each seed; empty if the run has none
 * @param folds limit of each agent, as in its run; those of runs without one are left out
 * @param forecasts tests of the forecasts of the median seed's agents; empty if there are none
 * @param cost what the limit cost; null if it was not measured
 */
public record WalkForwardEvidence(
    long medianSeed,
    Map<Long, Verdict> verdicts,
    Map<Long, LimitResult> limits,
    Map<FoldAgent, LimitResult> folds,
    List<ForecastResult> forecasts,
    @Nullable StudyLimitCost cost) {

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
   * @param runs directory of each agent
   * @param free the same walk-forward without the limit; null if it was not trained
   */
  public static WalkForwardEvidence of(
      RunConfig config,
      WalkForwardResult result,
      Function<FoldResult, Path> runs,
      @Nullable WalkForwardResult free) {
    Map<Long, Verdict> verdicts = new LinkedHashMap<>();
    for (SeedResult seed : result.seeds()) {
      verdicts.put(seed.seed(), Verdict.of(seed.symbols(), seed.seed()));
    }
    SeedResult median = result.medianSeed();
    Map<Long, LimitResult> limits = limits(config, result);
    Map<FoldAgent, LimitResult> folds = new LinkedHashMap<>();
    List<ForecastResult> forecasts = new ArrayList<>();
    if (!limits.isEmpty()) {
      for (FoldResult agent : result.outcomes()) {
        LimitResult.read(runs.apply(agent))
            .ifPresent(one -> folds.put(new FoldAgent(agent.fold(), agent.seed()), one));
        if (agent.seed() == median.seed()) {
          forecasts.addAll(ForecastResult.read(runs.apply(agent)));
        }
      }
    }
    return new WalkForwardEvidence(
        median.seed(),
        verdicts,
        limits,
        folds,
        forecasts,
        free == null ? null : cost(result, limits, runs, free, limits(config, free)));
  }

  /** The verdict on the chained account of the median seed. */
  public Verdict verdict() {
    return Objects.requireNonNull(verdicts.get(medianSeed));
  }

  /** The limit on the chained account of each seed; empty if there is none. */
  private static Map<Long, LimitResult> limits(RunConfig config, WalkForwardResult result) {
    Map<Long, LimitResult> limits = new LinkedHashMap<>();
    if (config.risk().limit() != null) {
      for (SeedResult seed : result.seeds()) {
        MarketLimit limit = new MarketLimit(config, seed.seed());
        List<BacktestResult> accounts =
            BaselineComparison.results(seed.symbols(), BaselineComparison.AGENT);
        limits.put(
            seed.seed(), LimitResult.of(config.risk(), List.of(limit.measure("test", accounts))));
      }
    }
    return limits;
  }

  private static StudyLimitCost cost(
      WalkForwardResult limited,
      Map<Long, LimitResult> limits,
      Function<FoldResult, Path> runs,
      WalkForwardResult free,
      Map<Long, LimitResult> freeLimits) {
    List<StudyLimitCost.Pair> agents =
        limited.outcomes().stream()
            .map(
                one -> StudyLimitCost.pair(String.valueOf(one.fold()), one.seed(), runs.apply(one)))
            .toList();
    List<StudyLimitCost.Pair> whole = new ArrayList<>();
    for (int i = 0; i < limited.seeds().size(); i++) {
      SeedResult seed = limited.seeds().get(i);
      whole.add(
          new StudyLimitCost.Pair(
              "chained",
              seed.seed(),
              new LimitCost(
                  null, account(seed, limits), account(free.seeds().get(i), freeLimits))));
    }
    return new StudyLimitCost(agents, whole);
  }

  private static LimitCost.Agent account(SeedResult seed, Map<Long, LimitResult> limits) {
    return LimitCost.Agent.of(
        seed.totalReturn(BaselineComparison.AGENT),
        seed.symbols(),
        Objects.requireNonNull(limits.get(seed.seed())));
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
