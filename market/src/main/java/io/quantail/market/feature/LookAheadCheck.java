package io.quantail.market.feature;

import io.quantail.market.data.Bars;
import io.quantail.market.data.BarsBuilder;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Looks for glances into the future: whatever is seen or decided at the close of bar t must not
 * change, in a single bit, when the bars after t are other ones or are not there at all.
 *
 * <p>Three changes are tried at random bars: all later bars are different, only the very next one
 * is, and the series ends with t. {@code LookAheadCheckTest} shows that each finds a leak the
 * others may miss.
 */
public final class LookAheadCheck {

  /** What is to be tested: everything that is seen or decided, bar by bar. */
  @FunctionalInterface
  public interface Seen {
    /**
     * One row per bar, the row of bar t being what is known at its close; a row may be null where
     * nothing is seen yet. Rows beyond the given bars do not exist.
     */
    double[][] of(Bars bars);
  }

  /**
   * A difference that must not be.
   *
   * @param bar where it was seen
   * @param column which number of the row
   * @param changedFrom first bar that was changed, later than {@code bar}
   * @param change what was done to the bars from there on
   */
  public record Leak(int bar, int column, int changedFrom, String change) {
    @Override
    public String toString() {
      return "column %d of bar %d changed when %s from bar %d on"
          .formatted(column, bar, change, changedFrom);
    }
  }

  private LookAheadCheck() {}

  /**
   * @param firstBar no change is made before this bar; at least 1
   * @param trials how many bars are tried
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

  /** The same bars, but with other prices, volumes and extras in a range; still valid bars. */
  private static Bars change(Bars bars, int from, int to, RandomStream random) {
    List<Bars.Optional> optional = Arrays.stream(Bars.Optional.values()).filter(bars::has).toList();
    List<String> extras = bars.extraNames();
    BarsBuilder changed =
        new BarsBuilder(bars.symbol(), bars.barMillis(), optional, extras, bars.size());
    for (int t = 0; t < bars.size(); t++) {
      boolean inside = t >= from && t < to;
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
