package io.quantail.value;

import io.quantail.random.RandomStream;
import io.quantail.testing.vectors.Floats;
import java.util.Arrays;

/** Random inputs. */
final class Samples {
  private Samples() {}

  static double[] gaussian(int count, int index) {
    RandomStream random = RandomStream.of(7, "samples", index);
    double[] values = new double[count];
    Arrays.setAll(values, i -> random.nextGaussian());
    return values;
  }

  static float[] floats(int count, int index) {
    return Floats.of(gaussian(count, index));
  }

  /** A sum in which each output has a weight of its own. */
  static double weighed(float[] outputs, float[] weights) {
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += (double) weights[i] * outputs[i];
    }
    return sum;
  }
}
