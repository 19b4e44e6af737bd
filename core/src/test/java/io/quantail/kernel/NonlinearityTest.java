package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.tensor.Layers;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With libtorch's operators as twins. */
class NonlinearityTest {
  private static final int SIZE = 401;

  @ParameterizedTest
  @EnumSource
  void shouldAgreeWithItsTwinForwardAndBackward(Nonlinearity nonlinearity) {
    float[] x = new float[SIZE];
    for (int i = 0; i < SIZE; i++) {
      x[i] = (i - 200) / 20f;
    }
    float[] y = new float[SIZE];
    float[] derivative = x.clone();
    nonlinearity.applyWithSlope(y, derivative);
    try (Scope scope = Scope.open()) {
      Tensor leaf = Tensor.of(x, SIZE).requireGradient();
      Tensor twin = twin(nonlinearity, leaf);
      twin.sum().backward();
      assertClose(y, twin.floats());
      assertClose(derivative, leaf.gradient().floats());
    }
  }

  private static void assertClose(float[] actual, float[] expected) {
    for (int i = 0; i < SIZE; i++) {
      assertThat(actual[i]).isCloseTo(expected[i], within(2e-6f * (1 + Math.abs(expected[i]))));
    }
  }

  private static Tensor twin(Nonlinearity nonlinearity, Tensor x) {
    return switch (nonlinearity) {
      case SILU -> Layers.silu(x);
      case RELU -> Layers.relu(x);
      case TANH -> x.tanh();
      case LEAKY_RELU -> Layers.leakyRelu(x);
      case ELU -> Layers.elu(x);
      case GELU -> Layers.gelu(x);
    };
  }
}
