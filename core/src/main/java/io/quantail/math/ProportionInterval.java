package io.quantail.math;

/**
 * Confidence interval of a success rate; NaN bounds without trials. Pinned by the vector {@code
 * win_rate_intervals} and by {@code ProportionIntervalTest}.
 *
 * @param low lower bound
 * @param high upper bound
 */
public record ProportionInterval(double low, double high) {
  private static final ProportionInterval UNDEFINED =
      new ProportionInterval(Double.NaN, Double.NaN);
  private static final int BISECTIONS = 60;

  /**
   * The Wilson score interval.
   *
   * <p>See: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
   */
  public static ProportionInterval wilson(long successes, long trials, double confidence) {
    if (trials == 0) {
      return UNDEFINED;
    }
    double z = StandardNormal.quantile((1 + confidence) / 2);
    double share = (double) successes / trials;
    double middle = share + z * z / (2 * trials);
    double width = z * Math.sqrt(share * (1 - share) / trials + z * z / (4.0 * trials * trials));
    double scale = 1 + z * z / trials;
    return new ProportionInterval(
        Math.max(0, (middle - width) / scale), Math.min(1, (middle + width) / scale));
  }

  /**
   * The exact interval: the rates at which as many successes or more, and as many or fewer, have a
   * probability of {@code (1 - confidence) / 2}.
   *
   * <p>See: Clopper, Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case of
   * the Binomial", 1934.
   */
  public static ProportionInterval exact(long successes, long trials, double confidence) {
    if (trials == 0) {
      return UNDEFINED;
    }
    double tail = (1 - confidence) / 2;
    long failures = trials - successes;
    double low = successes == 0 ? 0 : betaQuantile(successes, failures + 1.0, tail);
    double high = failures == 0 ? 1 : betaQuantile(successes + 1.0, failures, 1 - tail);
    return new ProportionInterval(low, high);
  }

  private static double betaQuantile(double a, double b, double level) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (IncompleteBeta.regularized(middle, a, b) < level) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
