package io.quantail.math;

import java.util.OptionalDouble;

/**
 * Means and covariances with reliability weights; rows whose weight is not positive do not count.
 *
 * <pre>  Cov(a, b) = sum w (a - mean a)(b - mean b) / (W - sum w² / W),   W = sum w</pre>
 *
 * With equal weights this is the usual sample covariance (ddof 1). A result that is undefined or
 * not finite is empty. {@code ExplainedVarianceTest} pins it.
 */
public final class WeightedMoments {
  private WeightedMoments() {}

  /** Weighted mean, taken relative to the first row so that constants have their exact mean. */
  public static OptionalDouble mean(double[] values, double[] weights) {
    double total = 0;
    double shifted = 0;
    int first = -1;
    for (int i = 0; i < values.length; i++) {
      if (weights[i] > 0) {
        first = first < 0 ? i : first;
        total += weights[i];
        shifted += weights[i] * (values[i] - values[first]);
      }
    }
    return first < 0 ? OptionalDouble.empty() : finite(values[first] + shifted / total);
  }

  /** Weighted variance. */
  public static OptionalDouble variance(double[] values, double[] weights) {
    return covariance(values, values, weights);
  }

  /** Weighted covariance. */
  public static OptionalDouble covariance(double[] left, double[] right, double[] weights) {
    OptionalDouble leftMean = mean(left, weights);
    OptionalDouble rightMean = mean(right, weights);
    if (leftMean.isEmpty() || rightMean.isEmpty()) {
      return OptionalDouble.empty();
    }
    int rows = 0;
    double total = 0;
    double totalSquared = 0;
    double products = 0;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] > 0) {
        rows++;
        total += weights[i];
        totalSquared += weights[i] * weights[i];
        products +=
            weights[i] * (left[i] - leftMean.getAsDouble()) * (right[i] - rightMean.getAsDouble());
      }
    }
    double denominator = total - totalSquared / total;
    return rows < 2 || !(denominator > 0) ? OptionalDouble.empty() : finite(products / denominator);
  }

  /** The value, or empty if it is not finite. */
  public static OptionalDouble finite(double value) {
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }
}
