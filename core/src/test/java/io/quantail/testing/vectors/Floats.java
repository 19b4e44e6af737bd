package io.quantail.testing.vectors;

import java.util.Arrays;

/** Between the doubles of vectors and the single precision of parameters and outputs. */
public final class Floats {
  private Floats() {}

  public static float[] of(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  public static double[] widened(float... values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  /** The largest absolute value, 0 of none. */
  public static double largest(double... values) {
    return Arrays.stream(values).map(Math::abs).max().orElse(0);
  }

  /** The rows behind each other. */
  public static double[] flat(double[][] rows) {
    return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
  }
}
