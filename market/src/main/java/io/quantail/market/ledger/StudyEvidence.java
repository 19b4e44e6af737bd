package io.quantail.market.ledger;

import io.quantail.evidence.BacktestOverfitting;
import io.quantail.evidence.EvidenceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What trials on the same bars prove together: whether choosing the best one of them overfits, and
 * how likely the best Sharpe ratio is luck.
 *
 * @param agents number of trials on the same bars
 * @param others number of trials that were left out because their bars differ
 * @param bars number of returns
 * @param from close of the first bar, ISO-8601 (UTC)
 * @param to close of the last bar, ISO-8601 (UTC)
 * @param overfitting null if it is not defined
 * @param best name of the trial with the highest Sharpe ratio
 * @param ledger evidence of the best trial
 */
public record StudyEvidence(
    int agents,
    int others,
    int bars,
    String from,
    String to,
    @Nullable Overfitting overfitting,
    String best,
    TrialEvidence ledger) {
  private static final int MOST_BLOCKS = 16;
  private static final int BARS_PER_BLOCK = 20;

  /**
   * The probability of backtest overfitting.
   *
   * @param blocks number of blocks of bars
   * @param numbers of all choices of half of the blocks
   */
  public record Overfitting(int blocks, BacktestOverfitting numbers) {
    /** One sentence. */
    public String sentence() {
      return String.format(
          Locale.ROOT,
          "probability of backtest overfitting %.2f: the best agent of one half of the bars is in the"
              + " lower half of the agents on the other bars in %.0f %% of %,d choices",
          numbers.probability(),
          100 * numbers.probability(),
          numbers.combinations());
    }
  }

  /** The largest group of trials on the same bars; of equal ones, the first. */
  static List<StudyTrial> comparable(List<StudyTrial> trials) {
    Map<Object, List<StudyTrial>> groups = new LinkedHashMap<>();
    for (StudyTrial trial : trials) {
      groups.computeIfAbsent(bars(trial), bars -> new ArrayList<>()).add(trial);
    }
    return groups.values().stream()
        .max(Comparator.comparingInt((List<StudyTrial> group) -> group.size()))
        .orElse(List.of());
  }

  /** What two trials have in common if they are on the same bars. */
  public static Object bars(StudyTrial trial) {
    return List.of(trial.trial().entry().days(), trial.trial().entry().bars());
  }

  /** The trial with the highest Sharpe ratio; undefined ratios are the lowest. */
  static StudyTrial best(List<StudyTrial> trials) {
    return trials.stream()
        .max(
            Comparator.comparingDouble(
                one ->
                    Objects.requireNonNullElse(
                        one.trial().entry().sharpe(), Double.NEGATIVE_INFINITY)))
        .orElseThrow();
  }

  /**
   * The evidence of trials on the same bars.
   *
   * @param trials at least one
   * @param others number of trials on other bars
   * @param blocks of the bars; null for a number that fits
   * @param ledger evidence of the {@link #best} trial
   */
  static StudyEvidence of(
      List<StudyTrial> trials, int others, @Nullable Integer blocks, TrialEvidence ledger) {
    LedgerEntry first = trials.get(0).trial().entry();
    return new StudyEvidence(
        trials.size(),
        others,
        first.bars(),
        first.from(),
        first.to(),
        overfitting(trials, blocks),
        best(trials).name(),
        ledger);
  }

  private static @Nullable Overfitting overfitting(
      List<StudyTrial> trials, @Nullable Integer blocks) {
    int bars = trials.get(0).trial().returns().size();
    int used = blocks == null ? blocks(bars) : blocks;
    double[][] returns = new double[bars][trials.size()];
    for (int trial = 0; trial < trials.size(); trial++) {
      double[] column = trials.get(trial).trial().returns().agent();
      for (int t = 0; t < bars; t++) {
        returns[t][trial] = column[t];
      }
    }
    try {
      return new Overfitting(used, BacktestOverfitting.of(returns, used));
    } catch (EvidenceException undefined) {
      return null;
    }
  }

  /** An even number of blocks of at least 20 bars, from 2 to 16. */
  static int blocks(int bars) {
    return Math.max(2, Math.min(MOST_BLOCKS, bars / BARS_PER_BLOCK / 2 * 2));
  }
}
