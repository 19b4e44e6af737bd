package io.quantail.market.walk;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.desk.Comparison;
import io.quantail.market.performance.Performances;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What agents of many folds and seeds did out of sample.
 *
 * @param folds in the order of time
 * @param outcomes of every agent: all seeds of the first fold, then of the next
 * @param seeds the agents of each seed as one account through all folds
 */
public record WalkForwardResult(
    List<FoldSpan> folds, List<FoldOutcome> outcomes, List<SeedResult> seeds) {

  /**
   * The agents of one seed, fold after fold, as one account; beside it the baselines, chained in
   * the same way.
   *
   * @param seed of the agents
   * @param symbols each symbol's chained account, with its numbers
   */
  public record SeedResult(long seed, List<Comparison> symbols) {
    /** Return of a policy's account that is divided equally among the symbols at the start. */
    public double totalReturn(String policy) {
      return Returns.mean(symbols, policy);
    }
  }

  /**
   * How far the agents of different seeds are apart.
   *
   * @param worst smallest return
   * @param median the one in the middle; of two, the lower
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
      return new Spread(worst, Returns.median(returns), best);
    }
  }

  /**
   * @param outcomes of every fold and seed, in any order
   */
  public static WalkForwardResult of(List<FoldSpan> folds, List<FoldOutcome> outcomes) {
    List<FoldOutcome> ordered =
        outcomes.stream()
            .sorted(Comparator.comparingInt(FoldOutcome::fold).thenComparingLong(FoldOutcome::seed))
            .toList();
    List<SeedResult> seeds =
        ordered.stream()
            .map(FoldOutcome::seed)
            .distinct()
            .map(seed -> stitch(seed, ordered.stream().filter(o -> o.seed() == seed).toList()))
            .toList();
    if (ordered.size() != folds.size() * seeds.size()) {
      throw new IllegalArgumentException(
          "%d folds and %d seeds need as many outcomes, there are %d"
              .formatted(folds.size(), seeds.size(), ordered.size()));
    }
    return new WalkForwardResult(List.copyOf(folds), ordered, seeds);
  }

  private static SeedResult stitch(long seed, List<FoldOutcome> folds) {
    List<Comparison> symbols = new ArrayList<>();
    for (int symbol = 0; symbol < folds.get(0).symbols().size(); symbol++) {
      List<Comparison.Entry> entries = new ArrayList<>();
      for (int policy = 0; policy < folds.get(0).symbols().get(symbol).entries().size(); policy++) {
        List<BacktestResult> passes = new ArrayList<>();
        for (FoldOutcome fold : folds) {
          passes.add(fold.symbols().get(symbol).entries().get(policy).result());
        }
        BacktestResult whole = Stitch.of(passes);
        entries.add(new Comparison.Entry(whole, Performances.of(whole, seed)));
      }
      symbols.add(new Comparison(entries));
    }
    return new SeedResult(seed, symbols);
  }

  /** The seed whose chained account is in the middle; of two, the lower. */
  public SeedResult medianSeed() {
    List<SeedResult> sorted =
        seeds.stream()
            .sorted(Comparator.comparingDouble(seed -> seed.totalReturn(Comparison.AGENT)))
            .toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  /** Chained returns of the agents. */
  public Spread spread() {
    return Spread.of(
        seeds.stream().mapToDouble(seed -> seed.totalReturn(Comparison.AGENT)).toArray());
  }

  /** Returns of the agents of one fold. */
  public Spread spread(FoldSpan fold) {
    return Spread.of(
        of(fold).stream().mapToDouble(one -> one.totalReturn(Comparison.AGENT)).toArray());
  }

  /** The agents of one fold, by seed. */
  public List<FoldOutcome> of(FoldSpan fold) {
    return outcomes.stream().filter(outcome -> outcome.fold() == fold.number()).toList();
  }

  /** How many seeds ended above buy-and-hold. */
  public long seedsAboveBuyAndHold() {
    return seeds.stream()
        .filter(
            seed -> seed.totalReturn(Comparison.AGENT) > seed.totalReturn(Comparison.BUY_AND_HOLD))
        .count();
  }
}
