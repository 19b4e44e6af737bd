package io.quantail.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import org.junit.jupiter.api.Test;

class ParametersTest {
  private static Parameters small() {
    Parameters.Builder builder = new Parameters.Builder(1);
    builder.add("a.weight", Initializer.constant(1), 2, 3);
    builder.add("a.bias", Initializer.constant(2), 2);
    builder.add("b.weight", Initializer.constant(3), 1);
    builder.add("a.late", Initializer.constant(4), 1);
    return builder.build();
  }

  @Test
  void shouldLayParametersOutInTheOrderOfDeclaration() {
    try (Parameters parameters = small();
        Scope scope = Scope.open()) {
      assertThat(parameters.values().floats()).containsExactly(1, 1, 1, 1, 1, 1, 2, 2, 3, 4);
      assertThat(parameters.slots())
          .extracting(Parameters.Slot::offset)
          .containsExactly(0L, 6L, 8L, 9L);
      assertThat(parameters.slots().get(0).dimensions()).containsExactly(2, 3);
    }
  }

  @Test
  void shouldFindNeighboursByPrefix() {
    try (Parameters parameters = small();
        Scope scope = Scope.open()) {
      assertThat(parameters.range("b.")).isEqualTo(new Parameters.Range(8, 1));
      assertThat(parameters.range("a.bias").of(parameters.values()).floats()).containsExactly(2, 2);
    }
  }

  @Test
  void shouldRefuseRangeThatIsNotInOnePiece() {
    try (Parameters parameters = small()) {
      assertThatThrownBy(() -> parameters.range("a."))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a.* are not neighbours");
      assertThatThrownBy(() -> parameters.range("c"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no parameter starts with c");
    }
  }

  @Test
  void shouldShareMemoryButNotGradientsBetweenReplicas() {
    try (Parameters parameters = small();
        Parameters.Replica first = parameters.replica();
        Parameters.Replica second = parameters.replica();
        Scope scope = Scope.open()) {
      first.get(1).mul(Tensor.of(new float[] {5, 7}, 2)).sum().backward();
      assertThat(first.gradient().floats()).containsExactly(0, 0, 0, 0, 0, 0, 5, 7, 0, 0);
      assertThat(second.gradient().floats()).containsOnly(0);
      try (Gradients off = Gradients.off()) {
        parameters.values().mulInPlace(10);
      }
      assertThat(first.get(1).floats()).containsExactly(20, 20);
      assertThat(second.get(2).floats()).containsExactly(30);
    }
  }

  @Test
  void shouldDrawEachParameterFromAStreamOfItsName() {
    Parameters.Builder alone = new Parameters.Builder(1);
    alone.add("x", Initializer.orthogonal(1), 3, 3);
    Parameters.Builder behind = new Parameters.Builder(1);
    behind.add("y", Initializer.orthogonal(1), 3, 3);
    behind.add("x", Initializer.orthogonal(1), 3, 3);
    try (Parameters first = alone.build();
        Parameters second = behind.build();
        Scope scope = Scope.open()) {
      float[] expected = first.values().floats();
      assertThat(second.range("x").of(second.values()).floats()).isEqualTo(expected);
      assertThat(second.range("y").of(second.values()).floats()).isNotEqualTo(expected);
    }
  }
}
