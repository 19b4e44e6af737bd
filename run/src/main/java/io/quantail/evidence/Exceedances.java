package io.quantail.evidence;

/**
 * Bars whose return was at or below the forecast VaR: how many, and how they follow each other.
 *
 * @param n number of bars
 * @param count number of exceedances
 * @param n00 transitions from a bar without to a bar without exceedance
 * @param n01 from without to with
 * @param n10 from with to without
 * @param n11 from with to with
 */
public record Exceedances(int n, int count, int n00, int n01, int n10, int n11) {

  /** Counts exceedances. */
  public static Exceedances of(boolean[] exceeded) {
    int count = 0;
    int both = 0;
    for (int t = 0; t < exceeded.length; t++) {
      count += exceeded[t] ? 1 : 0;
      both += t > 0 && exceeded[t] && exceeded[t - 1] ? 1 : 0;
    }
    int n = exceeded.length;
    return n == 0
        ? new Exceedances(0, 0, 0, 0, 0, 0)
        : of(n, count, both, exceeded[0], exceeded[n - 1]);
  }

  /**
   * Counts of a series that is known by four numbers.
   *
   * @param both number of exceedances that follow one
   * @param first whether the first bar is an exceedance
   * @param last whether the last one is
   */
  static Exceedances of(int n, int count, int both, boolean first, boolean last) {
    int entered = count - both - (first ? 1 : 0);
    int left = count - both - (last ? 1 : 0);
    return new Exceedances(n, count, n - 1 - entered - left - both, entered, left, both);
  }

  /**
   * Likelihood ratio of unconditional coverage, {@code -2 [(n - x) ln((1 - a) / (1 - x/n)) + x ln(a
   * / (x/n))]}. See: Kupiec, "Techniques for Verifying the Accuracy of Risk Measurement Models",
   * 1995.
   */
  public double coverageRatio(double alpha) {
    return coverageRatio(n, count, alpha);
  }

  static double coverageRatio(int n, int count, double alpha) {
    double rate = (double) count / n;
    return Math.max(
        0, -2 * (times(n - count, (1 - alpha) / (1 - rate)) + times(count, alpha / rate)));
  }

  /**
   * Likelihood ratio of independence: whether an exceedance is as likely after an exceedance as
   * after another bar. See: Christoffersen, "Evaluating Interval Forecasts", 1998.
   */
  public double independenceRatio() {
    int after0 = n00 + n01;
    int after1 = n10 + n11;
    double rate = (double) (n01 + n11) / (after0 + after1);
    double rate01 = (double) n01 / after0;
    double rate11 = (double) n11 / after1;
    double log =
        times(n00, (1 - rate) / (1 - rate01))
            + times(n01, rate / rate01)
            + times(n10, (1 - rate) / (1 - rate11))
            + times(n11, rate / rate11);
    return Math.max(0, -2 * log);
  }

  /** Likelihood ratio of conditional coverage: the sum of the other two. */
  public double conditionalRatio(double alpha) {
    return coverageRatio(alpha) + independenceRatio();
  }

  /** {@code count ln(ratio)}, 0 without a count. */
  private static double times(int count, double ratio) {
    return count == 0 ? 0 : count * Math.log(ratio);
  }
}
