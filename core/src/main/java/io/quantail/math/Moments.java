package io.quantail.math;

/** Mean and standard deviation of a sample, in plain loops: streams take several times as long. */
public final class Moments {
  private Moments() {}

  /** Mean of at least one value. */
  public static double mean(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a mean needs at least one value, there are none");
    }
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** Population standard deviation of at least one value. */
  public static double deviation(double[] values) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / values.length);
  }
}
