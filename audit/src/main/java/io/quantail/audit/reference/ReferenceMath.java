package io.quantail.audit.reference;

import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;

/** Arithmetic shared by the reference implementations. */
public final class ReferenceMath {
  private static final double FAR = 9;
  private static final int BISECTIONS = 60;

  /** Nodes and weights of the Gauss-Legendre rule with eight points on [-1, 1], one half of it. */
  private static final double[][] GAUSS = {
    {0.1834346424956498, 0.3626837833783620},
    {0.5255324099163290, 0.3137066458778873},
    {0.7966664774136267, 0.2223810344533745},
    {0.9602898564975363, 0.1012285362903763}
  };

  private ReferenceMath() {}

  /** The standard normal distribution function, integrated from 0 in intervals of length one. */
  static double normalDistribution(double x) {
    double to = clip(x, -FAR, FAR);
    int intervals = (int) Math.max(1, Math.ceil(Math.abs(to)));
    double half = to / intervals / 2;
    double sum = 0;
    for (int interval = 0; interval < intervals; interval++) {
      double middle = (2 * interval + 1) * half;
      for (double[] node : GAUSS) {
        sum += node[1] * half * (bell(middle - node[0] * half) + bell(middle + node[0] * half));
      }
    }
    return 0.5 + sum / Math.sqrt(2 * Math.PI);
  }

  /** The number below which a fraction of the standard normal distribution lies. */
  static double normalQuantile(double level) {
    double low = -FAR;
    double high = FAR;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      boolean below = normalDistribution(middle) < level;
      low = below ? middle : low;
      high = below ? high : middle;
    }
    return (low + high) / 2;
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

  /** Standard deviation with the given delta degrees of freedom. */
  public static double deviation(double[] values, int ddof) {
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - ddof));
  }

  /** Interpolates linearly between order statistics; percentile p is at index p (n - 1). */
  public static double percentile(double[] values, double fraction) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double index = fraction * (sorted.length - 1);
    int below = (int) Math.floor(index);
    int above = (int) Math.ceil(index);
    return sorted[below] + (index - below) * (sorted[above] - sorted[below]);
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

  /** The elementwise difference of two arrays. */
  public static double[] minus(double[] first, double[] second) {
    double[] difference = new double[first.length];
    Arrays.setAll(difference, i -> first[i] - second[i]);
    return difference;
  }

  public static float[] floats(double[] values) {
    float[] narrow = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      narrow[i] = (float) values[i];
    }
    return narrow;
  }

  public static double[] doubles(float[] values) {
    return row(values, 0, values.length);
  }

  public static double[][] doubles(float[][] rows) {
    return Arrays.stream(rows).map(ReferenceMath::doubles).toArray(double[][]::new);
  }

  public static float[][] floats(double[][] rows) {
    return Arrays.stream(rows).map(ReferenceMath::floats).toArray(float[][]::new);
  }

  /** One row of a matrix that is stored row by row. */
  public static double[] row(float[] matrix, int row, int size) {
    double[] wide = new double[size];
    Arrays.setAll(wide, i -> matrix[row * size + i]);
    return wide;
  }

  /** Central difference of a function of one variable. */
  public static double slope(double step, double at, DoubleUnaryOperator function) {
    return (function.applyAsDouble(at + step) - function.applyAsDouble(at - step)) / (2 * step);
  }

  /** Standard normal numbers. */
  public static double[] gaussian(RandomStream random, int count) {
    double[] values = new double[count];
    Arrays.setAll(values, i -> random.nextGaussian());
    return values;
  }

  /** Central differences of a function by each of its arguments. */
  public static double[] differences(
      double step, double[] at, ToDoubleFunction<double[]> function) {
    double[] slopes = new double[at.length];
    double[] changed = at.clone();
    for (int i = 0; i < at.length; i++) {
      int index = i;
      slopes[i] =
          slope(
              step,
              at[i],
              x -> {
                changed[index] = x;
                return function.applyAsDouble(changed);
              });
      changed[i] = at[i];
    }
    return slopes;
  }
}
