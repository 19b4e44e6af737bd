package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.evaluation.MarketLimit;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The CVaR limit of a purged cross-validation.
 *
 * @param paths limit on each path, in their order
 * @param median number of the path with the median return, from 0 on
 * @param forecasts tests of the forecasts of all agents; empty if there are none
 * @param cost what the limit cost; null if it was not measured
 */
public record PurgedLimit(
    List<LimitResult> paths,
    int median,
    List<ForecastResult> forecasts,
    @Nullable StudyLimitCost cost) {

  /**
   * Measures the limit.
   *
   * @param runs directory of each agent
   * @param free the same without the limit; null if it was not trained
   * @return the limit; null if there is none
   */
  public static @Nullable PurgedLimit of(
      RunConfig config,
      PurgedResult result,
      Function<FoldResult, Path> runs,
      @Nullable PurgedResult free) {
    if (config.risk().limit() == null) {
      return null;
    }
    List<LimitResult> limits = limits(config, result);
    return new PurgedLimit(
        limits,
        result.paths().indexOf(result.ranked((result.paths().size() - 1) / 2)),
        result.outcomes().stream()
            .flatMap(agent -> ForecastResult.read(runs.apply(agent)).stream())
            .toList(),
        free == null ? null : cost(result, limits, runs, free, limits(config, free)));
  }

  private static List<LimitResult> limits(RunConfig config, PurgedResult result) {
    return result.paths().stream()
        .map(
            path ->
                LimitResult.of(
                    config.risk(),
                    List.of(new MarketLimit(config, path.seed()).measure("test", path.symbols()))))
        .toList();
  }

  private static StudyLimitCost cost(
      PurgedResult limited,
      List<LimitResult> limits,
      Function<FoldResult, Path> runs,
      PurgedResult free,
      List<LimitResult> freeLimits) {
    List<StudyLimitCost.Pair> agents =
        limited.outcomes().stream()
            .map(
                one -> StudyLimitCost.pair(String.valueOf(one.fold()), one.seed(), runs.apply(one)))
            .toList();
    List<StudyLimitCost.Pair> whole = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      PathResult path = limited.paths().get(i);
      whole.add(
          new StudyLimitCost.Pair(
              "paths",
              path.seed(),
              new LimitCost(
                  null,
                  account(path, limits.get(i)),
                  account(free.paths().get(i), freeLimits.get(i)))));
    }
    return new StudyLimitCost(agents, whole);
  }

  private static LimitCost.Agent account(PathResult path, LimitResult limit) {
    return new LimitCost.Agent(path.numbers().totalReturn(), path.numbers().maxDrawdown(), limit);
  }

  /** The limit on the path with the median return. */
  public LimitResult ofMedian() {
    return paths.get(median);
  }
}
