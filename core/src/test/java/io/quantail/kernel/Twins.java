package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.tensor.Tensor;

/** Kernels beside the operators of libtorch that do the same. */
final class Twins {
  private Twins() {}

  static void assertClose(float[] actual, Tensor expected) {
    float[] values = expected.floats();
    assertThat(actual).hasSize(values.length);
    for (int i = 0; i < values.length; i++) {
      assertThat(actual[i]).isCloseTo(values[i], within(1e-5f * (1 + Math.abs(values[i]))));
    }
  }
}
