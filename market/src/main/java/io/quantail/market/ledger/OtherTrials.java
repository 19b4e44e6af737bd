package io.quantail.market.ledger;

import io.quantail.evidence.EffectiveTrials;
import io.quantail.evidence.EvidenceException;
import io.quantail.evidence.SharpeStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The trials on the bars of one of them.
 *
 * @param count N, the trial itself included
 * @param effective N_eff; null if a series of returns is not at hand
 * @param ratioVariance variance of the Sharpe ratios per bar
 */
record OtherTrials(int count, @Nullable Double effective, double ratioVariance) {
  /** A trial that is the only one. */
  static final OtherTrials NONE = new OtherTrials(1, 1.0, 0);

  /** Series of more bytes than these are left on disk; N is used instead of N_eff. */
  private static final long MOST_BYTES = 512L << 20;

  /**
   * The trials that share a day with a trial.
   *
   * @param ledger entries of the ledger
   * @param directory of the ledger
   * @param atHand trials whose returns need not be read
   */
  static OtherTrials of(Trial trial, List<LedgerEntry> ledger, Path directory, List<Trial> atHand) {
    List<LedgerEntry> all = new ArrayList<>(ledger);
    atHand.forEach(one -> all.add(one.entry()));
    LedgerTrials known = new LedgerTrials(all);
    int count = known.count(trial.entry());
    Map<LedgerEntry.Agent, List<LedgerEntry>> others = known.others(trial.entry());
    double[][] common = common(trial, series(others, directory, atHand));
    if (common == null) {
      return new OtherTrials(count, null, recordedVariance(trial, others));
    }
    double[][] returns = Arrays.copyOf(common, common.length - 1);
    double[] ratios =
        defined(Arrays.stream(returns).map(Trial::sharpe).collect(Collectors.toList()));
    try {
      double effective = EffectiveTrials.of(returns, common[common.length - 1]).effective();
      return new OtherTrials(count, effective, SharpeStatistics.varianceOf(ratios));
    } catch (EvidenceException tooFewOrNotFinite) {
      return new OtherTrials(count, null, recordedVariance(trial, others));
    }
  }

  /** The number that luck is measured by: N_eff, or N if it is not known. */
  double number() {
    return effective == null ? count : effective;
  }

  private static double recordedVariance(
      Trial trial, Map<LedgerEntry.Agent, List<LedgerEntry>> others) {
    List<@Nullable Double> ratios = new ArrayList<>();
    ratios.add(trial.entry().sharpe());
    others.values().forEach(entries -> ratios.add(entries.get(entries.size() - 1).sharpe()));
    return SharpeStatistics.varianceOf(defined(ratios));
  }

  private static double[] defined(List<@Nullable Double> ratios) {
    return ratios.stream()
        .filter(Objects::nonNull)
        .mapToDouble(ratio -> Objects.requireNonNull(ratio))
        .toArray();
  }

  /** The return at each close of every other agent; null if there are too many to read. */
  private static @Nullable List<Map<Long, Double>> series(
      Map<LedgerEntry.Agent, List<LedgerEntry>> others, Path directory, List<Trial> atHand) {
    Map<LedgerEntry.Agent, ReturnSeries> known = new HashMap<>();
    atHand.forEach(one -> known.put(one.entry().agent(), one.returns()));
    List<Map<Long, Double>> series = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<LedgerEntry.Agent, List<LedgerEntry>> other : others.entrySet()) {
      Map<Long, Double> returns = new HashMap<>();
      series.add(returns);
      if (known.containsKey(other.getKey())) {
        add(known.get(other.getKey()), returns);
        continue;
      }
      for (LedgerEntry entry : other.getValue()) {
        bytes += read(entry, directory, returns);
      }
      if (returns.isEmpty() || bytes > MOST_BYTES) {
        return null;
      }
    }
    return series;
  }

  /**
   * Returns of all trials, this one first, and last those of the benchmark, on the bars that all of
   * them have; null if a series is missing, or if they have less than half of the bars in common.
   */
  private static double @Nullable [][] common(
      Trial trial, @Nullable List<Map<Long, Double>> series) {
    if (series == null) {
      return null;
    }
    long[] times = trial.returns().times();
    int[] shared = new int[times.length];
    int size = 0;
    for (int t = 0; t < times.length; t++) {
      long time = times[t];
      if (series.stream().allMatch(returns -> returns.containsKey(time))) {
        shared[size++] = t;
      }
    }
    double[][] common = columns(trial, series, Arrays.copyOf(shared, size));
    return 2 * size < times.length ? null : common;
  }

  private static double[][] columns(Trial trial, List<Map<Long, Double>> series, int[] shared) {
    double[][] columns = new double[series.size() + 2][shared.length];
    for (int i = 0; i < shared.length; i++) {
      columns[0][i] = trial.returns().agent()[shared[i]];
      for (int other = 0; other < series.size(); other++) {
        Long time = trial.returns().times()[shared[i]];
        columns[other + 1][i] = Objects.requireNonNull(series.get(other).get(time));
      }
      columns[columns.length - 1][i] = trial.returns().benchmark()[shared[i]];
    }
    return columns;
  }

  /**
   * Adds the returns of an entry; not those of a file that was replaced by other returns.
   *
   * @return the size of the file
   */
  private static long read(LedgerEntry entry, Path directory, Map<Long, Double> returns) {
    if (entry.series() == null) {
      return 0;
    }
    Path file = directory.resolve(entry.series());
    try {
      ReturnSeries series = ReturnSeries.read(file);
      if (Objects.equals(Trial.sharpe(series.agent()), entry.sharpe())) {
        add(series, returns);
      }
      return Files.size(file);
    } catch (IOException missing) {
      return 0; // the trial counts, its resemblance to others is not known
    }
  }

  private static void add(ReturnSeries series, Map<Long, Double> returns) {
    for (int t = 0; t < series.size(); t++) {
      returns.put(series.times()[t], series.agent()[t]);
    }
  }
}
