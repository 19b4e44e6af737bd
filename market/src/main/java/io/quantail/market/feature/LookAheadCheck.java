package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * Detects look-ahead bias: observations and decisions at the close of bar t must stay bit-identical
 * when the bars after t are changed or removed.
 *
 * <p>Three changes are tried at random bars: all later bars are changed, only the next bar is
 * changed, and the series ends with t. {@code LookAheadCheckTest} shows that each finds look-ahead
 * that the others may miss.
 */
public final class LookAheadCheck {

  /** Computes the observations or decisions to test. */
  @FunctionalInterface
  public interface Seen {
    /**
     * One row per bar, with the values at its close; null where nothing is observed yet, for
     * example during the warm-up.
     */
    double[][] of(Bars bars);
  }

  /**
   * A value that depends on later bars.
   *
   * @param bar of the value
   * @param column of the value in its row
   * @param changedFrom first bar that was changed, later than {@code bar}
   * @param change made to the bars from there on
   */
  public record Leak(int bar, int column, int changedFrom, String change) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "column %d of bar %d changed when %s from bar %d on",
          column,
          bar,
          change,
          changedFrom);
    }
  }

  private LookAheadCheck() {}

  /**
   * Returns the look-ahead found; for each change, its first occurrence only.
   *
   * @param seen computes what is tested
   * @param firstBar first bar that may be changed; at least 1
   * @param trials number of random bars to try
   */
  public static List<Leak> find(Bars bars, Seen seen, int firstBar, int trials, long seed) {
    double[][] original = seen.of(bars);
    RandomStream random = RandomStream.of(seed, "leak", 0);
    List<Leak> leaks = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      int from = firstBar + random.nextInt(bars.size() - firstBar);
      compare(
          original, seen.of(change(bars, from, bars.size(), random)), from, "prices moved", leaks);
      compare(
          original, seen.of(change(bars, from, from + 1, random)), from, "one bar moved", leaks);
      compare(original, seen.of(bars.slice(0, from)), from, "bars were missing", leaks);
    }
    return leaks;
  }

  private static void compare(
      double[][] original, double[][] other, int from, String change, List<Leak> leaks) {
    for (int t = 0; t < from; t++) {
      if (Arrays.equals(original[t], other[t])) {
        continue;
      }
      int column =
          original[t] == null || other[t] == null ? 0 : Arrays.mismatch(original[t], other[t]);
      leaks.add(new Leak(t, column, from, change));
      return;
    }
  }

  private static Bars change(Bars bars, int from, int to, RandomStream random) {
    return changed(bars, t -> t >= from && t < to, random);
  }

  /**
   * The same bars with other, valid prices, volumes and extras at some of them.
   *
   * @param which whether the bar of an index is changed
   */
  public static Bars changed(Bars bars, IntPredicate which, RandomStream random) {
    List<Bars.Optional> optional = Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
    List<String> extras = bars.extraNames();
    BarsBuilder changed =
        new BarsBuilder(bars.symbol(), bars.barMillis(), optional, extras, bars.size());
    for (int t = 0; t < bars.size(); t++) {
      boolean inside = which.test(t);
      double price = inside ? Math.exp(0.3 * random.nextGaussian()) : 1;
      double size = inside ? Math.exp(0.5 * random.nextGaussian()) : 1;
      double[] row = new double[5 + optional.size() + extras.size()];
      row[0] = bars.open(t) * price;
      row[1] = bars.high(t) * price * (inside ? 1.01 : 1);
      row[2] = bars.low(t) * price * (inside ? 0.98 : 1);
      row[3] = bars.close(t) * price;
      row[4] = bars.volume(t) * size;
      for (int i = 0; i < optional.size(); i++) {
        row[5 + i] = bars.value(optional.get(i), t) * size * (inside ? 0.9 : 1);
      }
      for (int i = 0; i < extras.size(); i++) {
        double value = bars.extra(extras.get(i), t);
        row[5 + optional.size() + i] = inside ? value + 1 + random.nextDouble() : value;
      }
      changed.add(bars.time(t), row);
    }
    return changed.build();
  }
}
