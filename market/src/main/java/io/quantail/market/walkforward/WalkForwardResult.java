package io.quantail.market.walkforward;

import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.TailForecast;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Out-of-sample results of agents of several folds and seeds.
 *
 * @param folds in order of time
 * @param outcomes of all agents, ordered by fold, then by seed
 * @param seeds each seed's agents as one chained account
 */
public record WalkForwardResult(
    List<WalkForwardFold> folds, List<FoldResult> outcomes, List<SeedResult> seeds) {

  /**
   * The agents of one seed, fold after fold, as one account, with baselines chained in the same
   * way.
   *
   * @param seed of the agents
   * @param symbols chained accounts of each symbol
   * @param nextBars forecasts of the agents' next bars on each symbol; empty if an agent has none
   */
  public record SeedResult(
      long seed, List<BaselineComparison> symbols, List<TailForecast> nextBars) {
    /** Return of a policy's account that is divided equally among the symbols at the start. */
    public double totalReturn(String policy) {
      return CombinedAccount.of(BaselineComparison.results(symbols, policy)).totalReturn();
    }
  }

  /**
   * The range of returns over seeds.
   *
   * @param worst smallest return
   * @param median middle return; of two, the lower
   * @param best largest return
   */
  public record Spread(double worst, double median, double best) {
    static Spread of(double[] returns) {
      double worst = Double.POSITIVE_INFINITY;
      double best = Double.NEGATIVE_INFINITY;
      for (double value : returns) {
        worst = Math.min(worst, value);
        best = Math.max(best, value);
      }
      double[] sorted = returns.clone();
      Arrays.sort(sorted);
      return new Spread(worst, sorted[(sorted.length - 1) / 2], best);
    }
  }

  /**
   * Chains the folds of each seed.
   *
   * @param outcomes of every fold and seed, in any order
   */
  public static WalkForwardResult of(List<WalkForwardFold> folds, List<FoldResult> outcomes) {
    List<FoldResult> ordered =
        outcomes.stream()
            .sorted(Comparator.comparingInt(FoldResult::fold).thenComparingLong(FoldResult::seed))
            .toList();
    List<SeedResult> seeds =
        ordered.stream()
            .map(FoldResult::seed)
            .distinct()
            .map(seed -> chained(seed, ordered.stream().filter(o -> o.seed() == seed).toList()))
            .toList();
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
    return new WalkForwardResult(List.copyOf(folds), ordered, seeds);
  }

  private static SeedResult chained(long seed, List<FoldResult> folds) {
    List<BaselineComparison> symbols = new ArrayList<>();
    List<TailForecast> nextBars = new ArrayList<>();
    boolean forecast = folds.stream().noneMatch(fold -> fold.nextBars().isEmpty());
    for (int i = 0; i < folds.get(0).symbols().size(); i++) {
      int symbol = i;
      List<BaselineComparison> parts =
          folds.stream().map(fold -> fold.symbols().get(symbol)).toList();
      symbols.add(BaselineComparison.chained(parts.get(0).symbol(), parts, seed));
      if (forecast) {
        nextBars.add(
            TailForecast.chained(folds.stream().map(fold -> fold.nextBars().get(symbol)).toList()));
      }
    }
    return new SeedResult(seed, symbols, nextBars);
  }

  /** The seed with the median chained return; of two, the lower. */
  public SeedResult medianSeed() {
    List<SeedResult> sorted =
        seeds.stream()
            .sorted(Comparator.comparingDouble(seed -> seed.totalReturn(BaselineComparison.AGENT)))
            .toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  /** The range of the chained returns. */
  public Spread spread() {
    return Spread.of(
        seeds.stream().mapToDouble(seed -> seed.totalReturn(BaselineComparison.AGENT)).toArray());
  }

  /** The range of the returns in one fold. */
  public Spread spread(WalkForwardFold fold) {
    return Spread.of(
        of(fold).stream().mapToDouble(one -> one.totalReturn(BaselineComparison.AGENT)).toArray());
  }

  /** The agents of one fold, ordered by seed. */
  public List<FoldResult> of(WalkForwardFold fold) {
    return outcomes.stream().filter(outcome -> outcome.fold() == fold.number()).toList();
  }

  /** Number of seeds whose chained return is above that of buy-and-hold. */
  public long seedsAboveBuyAndHold() {
    return seeds.stream()
        .filter(
            seed ->
                seed.totalReturn(BaselineComparison.AGENT)
                    > seed.totalReturn(BaselineComparison.BUY_AND_HOLD))
        .count();
  }
}
