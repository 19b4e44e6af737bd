package io.quantail.app.report;

import io.quantail.market.walkforward.FoldResult;
import io.quantail.market.walkforward.PathNumbers;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.market.walkforward.PurgedResult.Range;
import java.nio.file.Path;
import java.util.List;

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
   */
  record PathRow(
      long seed, int path, List<Integer> folds, List<Double> groups, PathNumbers numbers) {}

  public static PurgedJson of(Path directory, Path report, PurgedResult result) {
    return new PurgedJson(
        directory.toString(),
        "purged",
        result.groups(),
        result.folds().get(0).tested().size(),
        result.alpha(),
        result.outcomes().stream().map(one -> numbers(result, one)).toList(),
        result.paths().stream().map(PurgedJson::row).toList(),
        result.range(PathNumbers::totalReturn),
        result.range(PathNumbers::sharpe),
        result.range(PathNumbers::maxDrawdown),
        result.range(PathNumbers::cvar),
        result.buyAndHold().numbers(),
        result.pathsAboveBuyAndHold(),
        result.verdict(),
        PurgedResult.CAVEAT,
        report.toString());
  }

  private static FoldNumbers numbers(PurgedResult result, FoldResult outcome) {
    List<Integer> tested = result.folds().get(outcome.fold() - 1).tested();
    return new FoldNumbers(outcome.fold(), outcome.seed(), outcome.steps(), tested);
  }

  private static PathRow row(PathResult path) {
    return new PathRow(path.seed(), path.path(), path.folds(), path.groups(), path.numbers());
  }
}
