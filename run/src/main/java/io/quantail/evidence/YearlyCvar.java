package io.quantail.evidence;

import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The CVaR of every calendar year. A bar belongs to the UTC year of the last millisecond before its
 * close. Pinned by the vector {@code rolling_and_worst_year}.
 *
 * @param years by year
 */
public record YearlyCvar(SortedMap<Integer, Year> years) {
  /** Returns that a year needs in reports. */
  public static final int FEWEST = 60;

  /**
   * One year.
   *
   * @param count number of returns
   * @param cvar empty if there are too few
   */
  public record Year(int count, OptionalDouble cvar) {}

  /**
   * Measures all years.
   *
   * @param closeMillis close of each bar, in ascending order
   * @param fewest returns that a year needs
   */
  public static YearlyCvar of(double[] returns, long[] closeMillis, double alpha, int fewest) {
    Returns.requireFinite("the series of returns", returns);
    Returns.requireSameLength(
        "the series of returns", returns.length, "the closes", closeMillis.length);
    SortedMap<Integer, Year> years = new TreeMap<>();
    int from = 0;
    for (int to = 1; to <= returns.length; to++) {
      int year = BarDays.year(closeMillis[from]);
      if (to == returns.length || BarDays.year(closeMillis[to]) != year) {
        double[] part = Arrays.copyOfRange(returns, from, to);
        years.put(year, new Year(part.length, cvar(part, alpha, fewest)));
        from = to;
      }
    }
    return new YearlyCvar(years);
  }

  private static OptionalDouble cvar(double[] returns, double alpha, int fewest) {
    return returns.length < fewest
        ? OptionalDouble.empty()
        : OptionalDouble.of(EmpiricalCvar.empirical(returns, alpha, 0).cvar());
  }

  /** The year with the lowest CVaR; empty if no year has enough returns. */
  public OptionalInt worst() {
    return years.entrySet().stream()
        .filter(year -> year.getValue().cvar().isPresent())
        .min(Comparator.comparingDouble(year -> year.getValue().cvar().getAsDouble()))
        .map(Map.Entry::getKey)
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }
}
