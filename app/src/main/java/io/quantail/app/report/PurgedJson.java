package io.quantail.app.report;

import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.PathNumbers;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.market.walkforward.PurgedResult.Range;
import io.quantail.run.evaluation.LimitResult;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The record of {@code walkforward --scheme purged --json} and of its {@code walkforward.json}.
 *
 * @param run the directory
 * @param scheme always {@code purged}
 * @param groups number of groups of bars
 * @param testGroups number of groups that each fold tests
 * @param alpha fraction of the worst bars of each CVaR
 * @param folds tested groups and agents of each fold
 * @param paths performance of each path
 * @param totalReturn range over all paths
 * @param sharpe range over all paths
 * @param maxDrawdown range over all paths
 * @param cvar range over all paths
 * @param buyAndHold performance of buy-and-hold through all groups
 * @param pathsAboveBuyAndHold number of paths that ended above it
 * @param verdict one sentence
 * @param limit on the path with the median return; null if there is none
 * @param withoutLimit what the limit cost; null if it was not measured
 * @param caveat what the dispersion of the paths is not
 * @param report path of the page
 */
public record PurgedJson(
    String run,
    String scheme,
    int groups,
    int testGroups,
    double alpha,
    List<FoldNumbers> folds,
    List<PathRow> paths,
    Range totalReturn,
    Range sharpe,
    Range maxDrawdown,
    Range cvar,
    PathNumbers buyAndHold,
    long pathsAboveBuyAndHold,
    String verdict,
    @Nullable LimitResult limit,
    @Nullable StudyLimitCost withoutLimit,
    String caveat,
    String report) {

  /**
   * One agent.
   *
   * @param fold number of the fold
   * @param seed of the agent
   * @param steps environment steps of its training
   * @param tested numbers of the groups on which it was tested
   */
  record FoldNumbers(int fold, long seed, long steps, List<Integer> tested) {}

  /**
   * One path.
   *
   * @param seed of its agents
   * @param path number of the path
   * @param folds fold whose agent trades each group
   * @param groups return of each group
   * @param numbers performance of the whole path
   * @param limit on the whole path; null if there is none
   */
  record PathRow(
      long seed,
      int path,
      List<Integer> folds,
      List<Double> groups,
      PathNumbers numbers,
      @Nullable LimitResult limit) {}

  /**
   * The record.
   *
   * @param limit null if there is none
   */
  public static PurgedJson of(
      Path directory, Path report, PurgedResult result, @Nullable PurgedLimit limit) {
    return new PurgedJson(
        directory.toString(),
        "purged",
        result.groups(),
        result.folds().get(0).tested().size(),
        result.alpha(),
        result.outcomes().stream().map(one -> numbers(result, one)).toList(),
        IntStream.range(0, result.paths().size())
            .mapToObj(i -> row(result.paths().get(i), limit == null ? null : limit.paths().get(i)))
            .toList(),
        result.range(PathNumbers::totalReturn),
        result.range(PathNumbers::sharpe),
        result.range(PathNumbers::maxDrawdown),
        result.range(PathNumbers::cvar),
        result.buyAndHold().numbers(),
        result.pathsAboveBuyAndHold(),
        result.verdict(),
        limit == null ? null : limit.ofMedian(),
        limit == null ? null : limit.cost(),
        PurgedResult.CAVEAT,
        report.toString());
  }

  private static FoldNumbers numbers(PurgedResult result, FoldResult outcome) {
    List<Integer> tested = result.folds().get(outcome.fold() - 1).tested();
    return new FoldNumbers(outcome.fold(), outcome.seed(), outcome.steps(), tested);
  }

  private static PathRow row(PathResult path, @Nullable LimitResult limit) {
    return new PathRow(
        path.seed(), path.path(), path.folds(), path.groups(), path.numbers(), limit);
  }
}
