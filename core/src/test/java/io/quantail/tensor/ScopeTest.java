package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScopeTest {
  @Test
  void shouldRefuseTensorMadeOutsideAScope() {
    assertThatThrownBy(() -> Tensor.zeros(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside a Scope");
  }

  @Test
  void shouldFreeItsTensors() {
    Tensor tensor;
    try (Scope scope = Scope.open()) {
      tensor = Tensor.of(new float[] {1, 2}, 2);
    }
    try (Scope scope = Scope.open()) {
      assertThatThrownBy(tensor::count).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void shouldFreeInnerScopeOnly() {
    try (Scope outer = Scope.open()) {
      Tensor mine = Tensor.of(new float[] {5}, 1);
      try (Scope inner = Scope.open()) {
        mine.add(1);
      }
      assertThat(mine.floats()).containsExactly(5);
    }
  }
}
