package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("POL-3")
class AdaptiveKlPenaltyTest {
  private final AdaptiveKlPenalty penalty = new AdaptiveKlPenalty(0.02, 1e-4, 1);

  @Test
  void shouldDoubleAboveAndHalveBelowTheBand() {
    assertThat(penalty.next(0.1, 0.0301)).isEqualTo(0.2);
    assertThat(penalty.next(0.1, 0.0133)).isEqualTo(0.05);
  }

  @Test
  void shouldStayInsideTheBand() {
    assertThat(penalty.next(0.1, 0.0299)).isEqualTo(0.1);
    assertThat(penalty.next(0.1, 0.0134)).isEqualTo(0.1);
  }

  @Test
  void shouldKeepItsLimits() {
    assertThat(penalty.next(0.8, 1)).isEqualTo(1);
    assertThat(penalty.next(1.5e-4, 0)).isEqualTo(1e-4);
    assertThat(penalty.next(0, 0.02)).isEqualTo(1e-4);
  }

  @Test
  void shouldBeStrongestWhenNothingIsKnown() {
    assertThat(penalty.next(0.1, Double.NaN)).isEqualTo(1);
    assertThat(penalty.next(Double.NaN, 0.02)).isEqualTo(1);
  }

  @Test
  void shouldRefuseImpossibleSettings() {
    assertThatThrownBy(() -> new AdaptiveKlPenalty(0, 1, 1)).hasMessageContaining("target KL");
    assertThatThrownBy(() -> new AdaptiveKlPenalty(1, 0, 1))
        .hasMessageContaining("minimum KL penalty");
    assertThatThrownBy(() -> new AdaptiveKlPenalty(1, 1, Double.POSITIVE_INFINITY))
        .hasMessageContaining("maximum KL penalty");
    assertThatThrownBy(() -> new AdaptiveKlPenalty(1, 1, 0.5))
        .hasMessageContaining("at least the minimum 1.0, was 0.5");
  }
}
