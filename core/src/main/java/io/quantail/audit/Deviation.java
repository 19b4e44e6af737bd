package io.quantail.audit;

/** How far two arrays are apart. */
public final class Deviation {
  private Deviation() {}

  /** Largest difference, as a share of the largest expected size; NaN counts as infinite. */
  public static double relative(double[] actual, double[] expected) {
    double size = 0;
    for (double value : expected) {
      size = Math.max(size, Math.abs(value));
    }
    double largest = absolute(actual, expected);
    return size == 0 ? largest : largest / size;
  }

  /** Largest difference. */
  public static double absolute(double[] actual, double[] expected) {
    if (actual.length != expected.length) {
      throw new IllegalStateException(
          "%d numbers where %d were expected".formatted(actual.length, expected.length));
    }
    double largest = 0;
    for (int i = 0; i < actual.length; i++) {
      double difference = Math.abs(actual[i] - expected[i]);
      largest = Double.isNaN(difference) ? Double.POSITIVE_INFINITY : Math.max(largest, difference);
    }
    return largest;
  }

  /** Norm of the difference over the norm of what was expected. */
  public static double ofNorms(double[] actual, double[] expected) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < expected.length; i++) {
      difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
      size += expected[i] * expected[i];
    }
    return size == 0 ? Math.sqrt(difference) : Math.sqrt(difference / size);
  }
}
