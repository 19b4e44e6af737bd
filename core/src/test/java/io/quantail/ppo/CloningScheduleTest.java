package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement({"AWR-1", "POL-4"})
class CloningScheduleTest {
  @Test
  void shouldHoldDuringWarmUpThenFade() {
    CloningSchedule schedule = new CloningSchedule(0.5, 0.1, 100, 200);

    assertThat(schedule.at(0)).isEqualTo(0.5);
    assertThat(schedule.at(100)).isEqualTo(0.5);
    assertThat(schedule.at(150)).isEqualTo(0.4, within(1e-12));
    assertThat(schedule.at(300)).isEqualTo(0.1, within(1e-12));
    assertThat(schedule.at(10_000)).isEqualTo(0.1, within(1e-12));
  }

  @Test
  void shouldStayConstantWithoutDecay() {
    assertThat(new CloningSchedule(0.5, 0.1, 0, 0).at(1_000_000)).isEqualTo(0.5);
  }

  @Test
  void shouldRefuseNegativeSettings() {
    assertThatThrownBy(() -> new CloningSchedule(-1, 0, 0, 0)).hasMessageContaining("initial");
    assertThatThrownBy(() -> new CloningSchedule(0, Double.NaN, 0, 0))
        .hasMessageContaining("final");
    assertThatThrownBy(() -> new CloningSchedule(0, 0, -1, 0)).hasMessageContaining("warm-up");
    assertThatThrownBy(() -> new CloningSchedule(0, 0, 0, -1)).hasMessageContaining("decay");
    assertThatThrownBy(() -> new CloningSchedule(0, 0, 0, 0).at(-1))
        .hasMessageContaining("environment steps");
  }
}
