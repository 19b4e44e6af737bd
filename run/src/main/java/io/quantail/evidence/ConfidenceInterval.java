package io.quantail.evidence;

import io.quantail.math.Percentiles;
import java.io.Serializable;

/**
 * A confidence interval.
 *
 * @param low lower bound
 * @param high upper bound
 */
public record ConfidenceInterval(double low, double high) implements Serializable {
  /** Confidence of the intervals of this package. */
  public static final double CONFIDENCE = 0.95;

  /** The percentiles of replicates that leave {@code (1 - confidence) / 2} outside on each side. */
  public static ConfidenceInterval ofPercentiles(double[] replicates, double confidence) {
    Percentiles percentiles = Percentiles.of(replicates);
    double tail = (1 - confidence) / 2;
    return new ConfidenceInterval(percentiles.at(tail), percentiles.at(1 - tail));
  }

  /** Whether the value lies in the interval. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
