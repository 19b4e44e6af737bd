package io.quantail.market.walkforward;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.backtest.ChainedAccount;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import io.quantail.market.split.CombinatorialSplitter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Out-of-sample results of a combinatorial purged cross-validation.
 *
 * <p>The p-th split that tests a group serves path p, so each path is one account through all
 * groups. Every group begins flat and ends with a sale. Tested by {@code PurgedResultTest}.
 *
 * @param folds all splits
 * @param alpha fraction of the worst bars of each CVaR, {@code risk.alpha}
 * @param outcomes of all agents, ordered by fold, then by seed
 * @param paths all paths of all seeds, ordered by seed
 * @param buyAndHold the same account of buy-and-hold, which is equal in all paths
 */
public record PurgedResult(
    List<PurgedFold> folds,
    double alpha,
    List<FoldResult> outcomes,
    List<PathResult> paths,
    PathResult buyAndHold) {

  /** What every page says about the paths. */
  public static final String CAVEAT =
      "Paths share training bars, so their dispersion is no confidence interval, and most agents"
          + " were trained partly on the future of the bars on which they are tested.";

  /**
   * One path: all groups in order of time, each traded by an agent that was not trained on it.
   *
   * @param seed of the agents
   * @param path number of the path, from 1 on
   * @param folds number of the fold whose agent trades each group
   * @param groups return of each group, mean over the symbols
   * @param symbols account of each symbol, chained over the groups
   * @param numbers performance of an account divided equally among the symbols
   */
  public record PathResult(
      long seed,
      int path,
      List<Integer> folds,
      List<Double> groups,
      List<BacktestResult> symbols,
      PathNumbers numbers) {}

  /**
   * The range of a number over all paths.
   *
   * @param lowest smallest value
   * @param median middle value; of two, the lower
   * @param highest largest value
   */
  public record Range(double lowest, double median, double highest) {
    static Range of(double[] values) {
      double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
      return sorted.length == 0
          ? new Range(Double.NaN, Double.NaN, Double.NaN)
          : new Range(sorted[0], sorted[(sorted.length - 1) / 2], sorted[sorted.length - 1]);
    }
  }

  /**
   * Chains the groups of each path.
   *
   * @param symbols names of the symbols
   * @param outcomes of every fold and seed, in any order
   */
  public static PurgedResult of(
      List<String> symbols, List<PurgedFold> folds, double alpha, List<FoldResult> outcomes) {
    List<FoldResult> ordered =
        outcomes.stream()
            .sorted(Comparator.comparingInt(FoldResult::fold).thenComparingLong(FoldResult::seed))
            .toList();
    List<Long> seeds = ordered.stream().map(FoldResult::seed).distinct().toList();
    if (ordered.size() != folds.size() * seeds.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d folds and %d seeds must have %d outcomes, had %d",
              folds.size(),
              seeds.size(),
              folds.size() * seeds.size(),
              ordered.size()));
    }
    Chains chains = new Chains(symbols, folds, alpha, ordered);
    int[][] served =
        CombinatorialSplitter.paths(folds.get(0).groups(), folds.get(0).tested().size());
    List<PathResult> paths = new ArrayList<>();
    for (long seed : seeds) {
      for (int path = 0; path < served.length; path++) {
        paths.add(chains.path(seed, path + 1, served[path], BaselineComparison.AGENT));
      }
    }
    return new PurgedResult(
        List.copyOf(folds),
        alpha,
        ordered,
        List.copyOf(paths),
        chains.path(seeds.get(0), 1, served[0], BaselineComparison.BUY_AND_HOLD));
  }

  /** Finds and chains the passes of paths. */
  private record Chains(
      List<String> symbols, List<PurgedFold> folds, double alpha, List<FoldResult> outcomes) {
    /**
     * @param served fold of each group, from 0 on
     */
    PathResult path(long seed, int path, int[] served, String policy) {
      List<Integer> numbers = Arrays.stream(served).mapToObj(fold -> fold + 1).toList();
      List<BacktestResult> accounts = new ArrayList<>();
      double[] returns = new double[served.length];
      for (List<BaselineComparison> passes : passes(seed, numbers, FoldResult::symbols)) {
        for (int group = 0; group < served.length; group++) {
          double earned = passes.get(group).entry(policy).performance().totalReturn();
          returns[group] += earned / symbols.size();
        }
        accounts.add(
            ChainedAccount.of(
                symbols.get(accounts.size()), BaselineComparison.results(passes, policy)));
      }
      return new PathResult(
          seed,
          path,
          numbers,
          Arrays.stream(returns).boxed().toList(),
          List.copyOf(accounts),
          PathNumbers.of(CombinedAccount.of(accounts), alpha));
    }

    /**
     * What the agents of a path have for each group of each symbol. An outcome is ordered by
     * symbol, then by group.
     *
     * @param served number of the fold of each group
     * @param results of all passes of an outcome
     */
    <T> List<List<T>> passes(
        long seed, List<Integer> served, Function<FoldResult, List<T>> results) {
      List<List<T>> all = new ArrayList<>();
      for (int symbol = 0; symbol < symbols.size(); symbol++) {
        List<T> groups = new ArrayList<>();
        for (int group = 0; group < served.size(); group++) {
          PurgedFold fold = folds.get(served.get(group) - 1);
          int place = fold.tested().indexOf(group + 1);
          groups.add(results.apply(outcome(seed, fold)).get(symbol * fold.tested().size() + place));
        }
        all.add(groups);
      }
      return all;
    }

    FoldResult outcome(long seed, PurgedFold fold) {
      return outcomes.stream()
          .filter(one -> one.fold() == fold.number() && one.seed() == seed)
          .findFirst()
          .orElseThrow();
    }
  }

  /** The agents of a path with all baselines, chained in the same way, on each symbol. */
  public List<BaselineComparison> compared(PathResult path) {
    List<BaselineComparison> compared = new ArrayList<>();
    chains(path)
        .passes(path.seed(), path.folds(), FoldResult::symbols)
        .forEach(
            groups ->
                compared.add(
                    BaselineComparison.chained(
                        path.symbols().get(compared.size()).symbol(), groups, path.seed())));
    return compared;
  }

  /** Forecasts of the next bars on each symbol of a path; empty if one of its agents has none. */
  public List<TailForecast> nextBars(PathResult path) {
    Chains chains = chains(path);
    boolean known =
        path.folds().stream()
            .noneMatch(
                fold -> chains.outcome(path.seed(), folds.get(fold - 1)).nextBars().isEmpty());
    return known
        ? chains.passes(path.seed(), path.folds(), FoldResult::nextBars).stream()
            .map(TailForecast::chained)
            .toList()
        : List.of();
  }

  private Chains chains(PathResult path) {
    return new Chains(
        path.symbols().stream().map(BacktestResult::symbol).toList(), folds, alpha, outcomes);
  }

  /** The number of groups. */
  public int groups() {
    return folds.get(0).groups();
  }

  /** The level of each CVaR in percent, such as {@code 5 %}. */
  public String level() {
    return BigDecimal.valueOf(alpha).movePointRight(2).stripTrailingZeros().toPlainString() + " %";
  }

  /** The number of seeds. */
  public int seeds() {
    return (int) paths.stream().map(PathResult::seed).distinct().count();
  }

  /** The range of a number over all paths; NaN if it is defined in none. */
  public Range range(ToDoubleFunction<PathNumbers> number) {
    return Range.of(paths.stream().map(PathResult::numbers).mapToDouble(number).toArray());
  }

  /** The range over all paths of the return of a group, from 0 on. */
  public Range groupRange(int group) {
    return Range.of(paths.stream().mapToDouble(path -> path.groups().get(group)).toArray());
  }

  /** The path with the n-th lowest return, from 0 on. */
  public PathResult ranked(int rank) {
    return paths.stream()
        .sorted(Comparator.comparingDouble(path -> path.numbers().totalReturn()))
        .toList()
        .get(rank);
  }

  /** Number of paths whose return is above that of buy-and-hold. */
  public long pathsAboveBuyAndHold() {
    double held = buyAndHold.numbers().totalReturn();
    return paths.stream().filter(path -> path.numbers().totalReturn() > held).count();
  }

  /** Whether the median path gained, and more than buy-and-hold. */
  public boolean isGood() {
    double median = range(PathNumbers::totalReturn).median();
    return median > 0 && median > buyAndHold.numbers().totalReturn();
  }

  /** One sentence: whether the median path beat buy-and-hold, with returns. */
  public String verdict() {
    Range returns = range(PathNumbers::totalReturn);
    double held = buyAndHold.numbers().totalReturn();
    return "Purged cross-validation: the median path %s buy-and-hold: %s against %s%s;"
            .formatted(
                returns.median() > held ? "beat" : "did not beat",
                percent(returns.median()),
                percent(held),
                returns.median() < 0 ? ", and it lost money; doing nothing was better" : "")
        + String.format(
            Locale.ROOT,
            " %d of %d paths ended above it, between %s and %s.",
            pathsAboveBuyAndHold(),
            paths.size(),
            percent(returns.lowest()),
            percent(returns.highest()));
  }

  /** First and last close of the bars that are traded in a group, from 0 on. */
  public long[] groupTimes(int group) {
    int number = group + 1;
    PurgedFold fold =
        folds.stream().filter(one -> one.tested().contains(number)).findFirst().orElseThrow();
    long[] times =
        outcomes.stream()
            .filter(outcome -> outcome.fold() == fold.number())
            .findFirst()
            .orElseThrow()
            .symbols()
            .get(fold.tested().indexOf(number))
            .agent()
            .result()
            .series()
            .times();
    return new long[] {times[0], times[times.length - 1]};
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * share);
  }
}
