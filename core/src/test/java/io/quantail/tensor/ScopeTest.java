package io.quantail.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeTest {
  private static final int ROUNDS = 1_000;

  @Test
  void shouldRefuseTensorMadeOutsideAScope() {
    assertThatThrownBy(() -> Tensor.zeros(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside a Scope");
  }

  @Test
  void shouldFreeAllTensorsOfAScope() {
    everyKindOfOperator();
    long before = Torch.livePointers();
    for (int round = 0; round < ROUNDS; round++) {
      everyKindOfOperator();
    }
    assertThat(Torch.livePointers()).isEqualTo(before);
  }

  private static void everyKindOfOperator() {
    try (Scope scope = Scope.open()) {
      Tensor leaf = Tensor.of(new double[] {3, 1, 2, -1}, 2, 2).requireGradient();
      Tensor loss =
          Tensor.cat(List.of(leaf.sort(1), leaf.clamp(-0.5, 2).mul(2)), 0)
              .add(1)
              .square()
              .logSoftmax(1)
              .sum();
      loss.backward();
      leaf.gradient().doubles();
      loss.item();
      try (Scope inner = Scope.open();
          Gradients off = Gradients.off()) {
        leaf.narrow(0, 0, 1).mulInPlace(0.5).doubles();
      }
    }
  }

  @Test
  void shouldKeepRetainedTensorUntilItIsClosed() {
    Tensor kept;
    long before;
    try (Scope scope = Scope.open()) {
      before = Torch.livePointers();
      kept = Tensor.of(new float[] {1, 2, 3}, 3).retain();
    }
    try (Scope scope = Scope.open()) {
      assertThat(kept.floats()).containsExactly(1, 2, 3);
    }
    kept.close();
    assertThat(Torch.livePointers()).isEqualTo(before);
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
