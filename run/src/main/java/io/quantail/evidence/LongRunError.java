package io.quantail.evidence;

/**
 * Standard error of the mean of a dependent series: {@code sqrt((1/n) sum_{|k| <= b} (1 - |k|/(b +
 * 1)) R(k))}, with autocovariances R over n.
 *
 * <p>The sum of weighted autocovariances equals the mean square of the sums of {@code b + 1}
 * consecutive values, divided by {@code b + 1}, if the centred series is continued with zeros. That
 * takes n steps at any bandwidth b. See: Newey, West, "A Simple, Positive Semi-definite,
 * Heteroskedasticity and Autocorrelation Consistent Covariance Matrix", 1987. {@code
 * LongRunErrorTest} pins the equality.
 */
final class LongRunError {
  private LongRunError() {}

  /** The standard error of the mean of the values. */
  static double of(double[] values, int bandwidth) {
    int n = values.length;
    int width = bandwidth + 1;
    double mean = 0;
    for (double value : values) {
      mean += value;
    }
    mean /= n;
    double window = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      window += values[i] - mean;
      if (i >= width) {
        window -= values[i - width] - mean;
      }
      squares += window * window;
    }
    for (int i = n; i < n + width - 1; i++) {
      if (i >= width) {
        window -= values[i - width] - mean;
      }
      squares += window * window;
    }
    return Math.sqrt(squares / width) / n;
  }
}
