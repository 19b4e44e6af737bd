package io.quantail.audit.slow;

import java.util.Arrays;

/** Small arithmetic that the re-derivations share. */
public final class Numbers {
  private static final int INTERVALS = 120;
  private static final double FAR = 9;

  private Numbers() {}

  /** The share of a standard normal variable below x, by Simpson's rule from 0. */
  static double normalDistribution(double x) {
    double to = clip(x, -FAR, FAR);
    double width = to / INTERVALS;
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
      double weight = i == 0 || i == INTERVALS ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * Math.exp(-i * width * i * width / 2);
    }
    return 0.5 + sum * width / 3 / Math.sqrt(2 * Math.PI);
  }

  public static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /** Standard deviation with the given number of lost degrees of freedom. */
  public static double deviation(double[] values, int lost) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - lost));
  }

  /** Linear between order statistics, the value at share p standing at place p (n - 1). */
  public static double percentile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double place = share * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = (int) Math.ceil(place);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  public static double clip(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
  }

  public static double norm(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }

  public static double[] doubles(float[] values) {
    double[] wide = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }
}
