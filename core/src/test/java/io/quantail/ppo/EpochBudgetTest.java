package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("POL-3")
class EpochBudgetTest {
  private final EpochBudget budget = new EpochBudget(8, 0.5);

  @Test
  void shouldHalveEpochsAfterStopsButKeepOne() {
    double factor = 1;
    int[] epochs = new int[5];
    for (int i = 0; i < epochs.length; i++) {
      factor = budget.nextFactor(factor, true);
      epochs[i] = budget.epochsAt(factor);
    }

    assertThat(epochs).containsExactly(4, 2, 1, 1, 1);
  }

  @Test
  void shouldRecoverWithoutStops() {
    double factor = budget.nextFactor(budget.nextFactor(1, true), true);

    assertThat(budget.epochsAt(factor)).isEqualTo(2);
    factor = budget.nextFactor(factor, false);
    assertThat(budget.epochsAt(factor)).isEqualTo(4);
    factor = budget.nextFactor(budget.nextFactor(factor, false), false);
    assertThat(factor).isEqualTo(1);
    assertThat(budget.epochsAt(factor)).isEqualTo(8);
  }

  @Test
  void shouldRoundHalvesToEvenNumber() {
    assertThat(new EpochBudget(5, 0.5).epochsAt(0.5)).isEqualTo(2);
    assertThat(new EpochBudget(7, 0.5).epochsAt(0.5)).isEqualTo(4);
  }

  @Test
  void shouldRefuseImpossibleSettings() {
    assertThatThrownBy(() -> new EpochBudget(0, 0.5)).hasMessageContaining("was 0");
    assertThatThrownBy(() -> new EpochBudget(4, 0)).hasMessageContaining("(0, 1], was 0.0");
    assertThatThrownBy(() -> new EpochBudget(4, 1.5)).hasMessageContaining("(0, 1], was 1.5");
  }
}
