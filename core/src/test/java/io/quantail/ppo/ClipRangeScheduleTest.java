package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("POL-4")
class ClipRangeScheduleTest {
  @Test
  void shouldNarrowLinearlyToBase() {
    ClipRangeSchedule range = new ClipRangeSchedule(0.1, 0.2, 4);

    assertThat(range.at(0)).isEqualTo(0.2);
    assertThat(range.at(1)).isEqualTo(0.175, within(1e-12));
    assertThat(range.at(4)).isEqualTo(0.1);
    assertThat(range.at(1_000_000_000_000L)).isEqualTo(0.1);
  }

  @Test
  void shouldStartWithBaseWithoutWarmUp() {
    assertThat(new ClipRangeSchedule(0.3, 0.2, 0).at(0)).isEqualTo(0.3);
  }

  @Test
  void shouldRefuseRangesOutsideTheirBounds() {
    for (double base : new double[] {1, -0.1, Double.NaN}) {
      assertThatThrownBy(() -> new ClipRangeSchedule(base, 0.5, 0))
          .hasMessage("clip range must be in [0, 1), was " + base);
    }
    assertThatThrownBy(() -> new ClipRangeSchedule(0.2, 0.1, 4))
        .hasMessageContaining("must be in [0.2, 1), was 0.1");
    assertThatThrownBy(() -> new ClipRangeSchedule(0.2, 0.2, -1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new ClipRangeSchedule(0.2, 0.2, 1).at(-1)).hasMessageContaining("-1");
  }
}
