package io.quantail.optim;

/** Between the doubles of vectors and the single precision of parameters. */
final class Floats {
  private Floats() {}

  static float[] of(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  static double[] widened(float... values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }
}
