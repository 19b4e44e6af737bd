package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TensorTest {
  private static final Offset<Double> CLOSE = within(1e-7);
  private static final double STEP = 1e-5;

  private Scope scope;

  @BeforeEach
  void openScope() {
    scope = Scope.open();
  }

  @AfterEach
  void closeScope() {
    scope.close();
  }

  @Test
  void shouldRefuseValuesThatDoNotFillTheShape() {
    assertThatThrownBy(() -> Tensor.of(new float[5], 2, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[2, 3] holds 6 values, was given 5");
  }

  @Test
  void shouldReadRowByRowWhateverTheLayout() {
    Tensor matrix = Tensor.of(new double[] {1, 2, 3, 4, 5, 6}, 2, 3);
    assertThat(matrix.narrow(1, 1, 2).doubles()).containsExactly(2, 3, 5, 6);
    assertThat(matrix.select(1, 2).doubles()).containsExactly(3, 6);
    assertThat(matrix.sum(0).doubles()).containsExactly(5, 7, 9);
    assertThat(matrix.mean(1).doubles()).containsExactly(2, 5);
    assertThat(matrix.shape()).containsExactly(2, 3);
  }

  @Test
  void shouldReadEmptyTensor() {
    assertThat(Tensor.zeros(0, 3).floats()).isEmpty();
  }

  @Test
  void shouldDifferentiateOperators() {
    List<UnaryOperator<Tensor>> operators =
        List.of(
            x -> x.mul(3).add(1).square(),
            x -> x.neg().exp(),
            x -> x.square().add(1).sqrt().log(),
            Tensor::tanh,
            Tensor::sigmoid,
            Tensor::softplus,
            Tensor::abs,
            x -> x.clamp(-0.5, 0.5),
            x -> x.minimum(x.mul(0.5).add(0.2)),
            x -> x.maximum(x.neg()),
            x -> x.div(x.square().add(2)),
            x -> x.reshape(2, 2).logSoftmax(1),
            x -> x.sort(0).mul(Tensor.of(new double[] {1, 2, 3, 4}, 4)),
            Layers::silu,
            Layers::gelu,
            Layers::elu,
            Layers::leakyRelu,
            Layers::relu);
    for (int index = 0; index < operators.size(); index++) {
      checkGradient("operator " + index, operators.get(index));
    }
  }

  /** Against central differences of a weighted sum, away from the kinks of the operators. */
  private static void checkGradient(String name, UnaryOperator<Tensor> operator) {
    double[] values = {0.3, -1.2, 0.7, -0.4};
    Tensor leaf = Tensor.of(values, 4).requireGradient();
    weightedSum(operator, leaf).backward();
    double[] gradient = leaf.gradient().doubles();
    for (int i = 0; i < values.length; i++) {
      double[] above = values.clone();
      double[] below = values.clone();
      above[i] += STEP;
      below[i] -= STEP;
      double difference =
          weightedSum(operator, Tensor.of(above, 4)).item()
              - weightedSum(operator, Tensor.of(below, 4)).item();
      assertThat(gradient[i])
          .as("%s, element %d", name, i)
          .isCloseTo(difference / (2 * STEP), CLOSE);
    }
  }

  private static Tensor weightedSum(UnaryOperator<Tensor> operator, Tensor x) {
    Tensor weights = Tensor.of(new double[] {1.0, -0.5, 2.0, 0.25}, 4);
    return operator.apply(x).reshape(4).mul(weights).sum();
  }

  @Test
  void shouldAddTheGradientsOfSeveralPasses() {
    Tensor leaf = Tensor.of(new double[] {1, 2}, 2).requireGradient();
    leaf.square().sum().backward();
    leaf.square().sum().backward();
    assertThat(leaf.gradient().doubles()).containsExactly(4, 8);
  }

  @Test
  void shouldCutDetachedTensorsFromTheGraph() {
    Tensor leaf = Tensor.of(new double[] {3}, 1).requireGradient();
    leaf.mul(leaf.detach()).sum().backward();
    assertThat(leaf.gradient().item()).isEqualTo(3);
  }

  @Test
  void shouldSayThatNoGradientArrived() {
    Tensor leaf = Tensor.of(new double[] {3}, 1).requireGradient();
    assertThatThrownBy(leaf::gradient).hasMessageContaining("no gradient");
  }

  @Test
  void shouldNotRecordWhileGradientsAreOff() {
    Tensor leaf = Tensor.of(new double[] {3}, 1).requireGradient();
    Tensor constant;
    try (Gradients off = Gradients.off()) {
      constant = leaf.mul(2);
    }
    constant.mul(leaf).sum().backward();
    assertThat(leaf.gradient().item()).isEqualTo(6);
  }
}
