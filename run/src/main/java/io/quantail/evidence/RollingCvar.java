package io.quantail.evidence;

import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;
import java.util.Optional;

/**
 * The CVaR of every window of consecutive bars. Pinned by the vector {@code
 * rolling_and_worst_year}.
 *
 * @param window bars per window
 * @param windows number of windows
 * @param worst lowest CVaR of a window
 * @param worstLast last bar of that window
 * @param fractionBeyond fraction of windows whose CVaR is below the limit
 */
public record RollingCvar(
    int window, int windows, double worst, int worstLast, double fractionBeyond) {
  /** Bars of a window in reports, about a year of days. */
  public static final int WINDOW = 250;

  /**
   * Measures all windows; empty if there are fewer bars than one window has.
   *
   * @param limit lowest CVaR allowed
   */
  public static Optional<RollingCvar> of(double[] returns, double alpha, int window, double limit) {
    Returns.requireFinite("the series of returns", returns);
    if (returns.length < window) {
      return Optional.empty();
    }
    double[] series = series(returns, alpha, window);
    int worst = 0;
    int beyond = 0;
    for (int i = 0; i < series.length; i++) {
      beyond += series[i] < limit ? 1 : 0;
      worst = series[i] < series[worst] ? i : worst;
    }
    return Optional.of(
        new RollingCvar(
            window,
            series.length,
            series[worst],
            worst + window - 1,
            (double) beyond / series.length));
  }

  /**
   * The CVaR of all windows; the first one ends with bar {@code window - 1}.
   *
   * @param returns at least as many as a window has
   */
  public static double[] series(double[] returns, double alpha, int window) {
    int tail = EmpiricalCvar.tailCount(window, alpha);
    double[] sorted = new double[window];
    Arrays.setAll(sorted, t -> unsigned(returns[t]));
    Arrays.sort(sorted);
    double[] series = new double[returns.length - window + 1];
    for (int i = 0; i < series.length; i++) {
      if (i > 0) {
        replace(sorted, unsigned(returns[i - 1]), unsigned(returns[i + window - 1]));
      }
      double sum = 0;
      for (int rank = 0; rank < tail; rank++) {
        sum += sorted[rank];
      }
      series[i] = sum / tail;
    }
    return series;
  }

  /** The value, with one zero instead of two: a search finds -0 before 0, a comparison does not. */
  private static double unsigned(double value) {
    return value + 0.0;
  }

  /** Exchanges a value of a sorted array for another. */
  private static void replace(double[] sorted, double old, double value) {
    int at = Arrays.binarySearch(sorted, old);
    while (at > 0 && sorted[at - 1] > value) {
      sorted[at] = sorted[at - 1];
      at--;
    }
    while (at < sorted.length - 1 && sorted[at + 1] < value) {
      sorted[at] = sorted[at + 1];
      at++;
    }
    sorted[at] = value;
  }
}
