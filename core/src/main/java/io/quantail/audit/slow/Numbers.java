package io.quantail.audit.slow;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/** Small arithmetic that the re-derivations share. */
public final class Numbers {
  private static final double FAR = 9;

  /** Nodes and weights of the Gauss-Legendre rule with eight points on [-1, 1], one half of it. */
  private static final double[][] GAUSS = {
    {0.1834346424956498, 0.3626837833783620},
    {0.5255324099163290, 0.3137066458778873},
    {0.7966664774136267, 0.2223810344533745},
    {0.9602898564975363, 0.1012285362903763}
  };

  private Numbers() {}

  /** The share of a standard normal variable below x, integrated from 0 in pieces of one. */
  static double normalDistribution(double x) {
    double to = clip(x, -FAR, FAR);
    int pieces = (int) Math.max(1, Math.ceil(Math.abs(to)));
    double half = to / pieces / 2;
    double sum = 0;
    for (int piece = 0; piece < pieces; piece++) {
      double middle = (2 * piece + 1) * half;
      for (double[] node : GAUSS) {
        sum += node[1] * half * (bell(middle - node[0] * half) + bell(middle + node[0] * half));
      }
    }
    return 0.5 + sum / Math.sqrt(2 * Math.PI);
  }

  private static double bell(double x) {
    return Math.exp(-x * x / 2);
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

  /** The sum of products of two vectors. */
  public static double product(double[] first, double[] second) {
    double sum = 0;
    for (int i = 0; i < first.length; i++) {
      sum += first[i] * second[i];
    }
    return sum;
  }

  public static double norm(double[] values) {
    double squares = 0;
    for (double value : values) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }

  public static float[] floats(double[] values) {
    float[] narrow = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      narrow[i] = (float) values[i];
    }
    return narrow;
  }

  public static double[] doubles(float[] values) {
    double[] wide = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      wide[i] = values[i];
    }
    return wide;
  }

  /** Central differences of a function by each of its arguments. */
  public static double[] differences(
      double step, double[] at, ToDoubleFunction<double[]> function) {
    double[] slopes = new double[at.length];
    for (int i = 0; i < at.length; i++) {
      double[] above = at.clone();
      double[] below = at.clone();
      above[i] += step;
      below[i] -= step;
      slopes[i] = (function.applyAsDouble(above) - function.applyAsDouble(below)) / (2 * step);
    }
    return slopes;
  }
}
