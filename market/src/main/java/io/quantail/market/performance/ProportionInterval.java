package io.quantail.market.performance;

import org.apache.commons.statistics.distribution.NormalDistribution;

/** Confidence interval of a success rate. Tested by {@code PerformanceVectors}. */
public final class ProportionInterval {
  private ProportionInterval() {}

  /**
   * The Wilson score interval; NaN bounds without trials.
   *
   * <p>See: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927.
   */
  public static ConfidenceInterval wilson(long successes, long trials, double confidence) {
    if (trials == 0) {
      return new ConfidenceInterval(Double.NaN, Double.NaN);
    }
    double z = NormalDistribution.of(0, 1).inverseCumulativeProbability((1 + confidence) / 2);
    double share = (double) successes / trials;
    double middle = share + z * z / (2 * trials);
    double width = z * Math.sqrt(share * (1 - share) / trials + z * z / (4.0 * trials * trials));
    double scale = 1 + z * z / trials;
    return new ConfidenceInterval(
        Math.max(0, (middle - width) / scale), Math.min(1, (middle + width) / scale));
  }
}
