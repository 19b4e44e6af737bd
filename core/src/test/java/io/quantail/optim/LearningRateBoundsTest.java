package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.optim.LearningRateBounds.Bounded;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("LR-1")
class LearningRateBoundsTest {
  private final LearningRateBounds bounds = new LearningRateBounds(5e-6, 1e-2);

  @Test
  void shouldRaiseToMinimumAndSaySo() {
    assertThat(bounds.apply(1e-6)).isEqualTo(new Bounded(5e-6, true));
  }

  @Test
  void shouldLeaveRatesInsideAlone() {
    assertThat(bounds.apply(5e-6)).isEqualTo(new Bounded(5e-6, false));
    assertThat(bounds.apply(3e-4)).isEqualTo(new Bounded(3e-4, false));
  }

  @Test
  void shouldLowerToMaximum() {
    assertThat(bounds.apply(1)).isEqualTo(new Bounded(1e-2, false));
    assertThat(new LearningRateBounds(0, Double.POSITIVE_INFINITY).apply(7).rate()).isEqualTo(7);
  }

  @Test
  void shouldRefuseContradictoryBounds() {
    assertThatThrownBy(() -> new LearningRateBounds(1e-3, 1e-4))
        .hasMessageContaining("at least the minimum 0.001, was 1.0E-4");
    assertThatThrownBy(() -> new LearningRateBounds(-1, 1)).hasMessageContaining("-1.0");
    assertThatThrownBy(() -> new LearningRateBounds(0, 0)).hasMessageContaining("positive");
    assertThatThrownBy(() -> new LearningRateBounds(0, Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void shouldRefuseRateThatIsNotANumber() {
    assertThatThrownBy(() -> bounds.apply(Double.NaN)).hasMessageContaining("NaN");
  }
}
