package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Tensor;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Random inputs, and gradients compared with finite differences. */
final class Samples {
  private static final double STEP = 1e-6;

  private Samples() {}

  static double[] gaussian(int count, int index) {
    RandomStream random = RandomStream.of(7, "samples", index);
    double[] values = new double[count];
    Arrays.setAll(values, i -> random.nextGaussian());
    return values;
  }

  /** Compares the gradient of a function with one result; within a scope. */
  static void requireGradient(UnaryOperator<Tensor> function, double[] at, double tolerance) {
    Tensor leaf = Tensor.of(at, at.length).requireGradient();
    function.apply(leaf).backward();
    double[] gradient = leaf.gradient().doubles();
    for (int i = 0; i < at.length; i++) {
      double[] above = at.clone();
      double[] below = at.clone();
      above[i] += STEP;
      below[i] -= STEP;
      double difference =
          function.apply(Tensor.of(above, at.length)).item()
              - function.apply(Tensor.of(below, at.length)).item();
      assertThat(gradient[i]).isCloseTo(difference / (2 * STEP), within(tolerance));
    }
    assertThat(Arrays.stream(gradient).map(Math::abs).max().orElseThrow()).isGreaterThan(1e-3);
  }
}
