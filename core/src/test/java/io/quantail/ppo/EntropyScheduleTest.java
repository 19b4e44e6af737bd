package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Requirement({"ENT-1", "POL-4"})
class EntropyScheduleTest {
  private final EntropySchedule schedule = new EntropySchedule(0.01, 0.001, 0.002, 10);

  @Test
  void shouldDecayLinearlyFromItsStart() {
    assertThat(schedule.at(5, 5).raw()).isEqualTo(0.01);
    assertThat(schedule.at(10, 5).raw()).isEqualTo(0.0055, within(1e-12));
    assertThat(schedule.at(15, 5).raw()).isEqualTo(0.001, within(1e-12));
  }

  @Test
  void shouldKeepInitialCoefficientUntilDecayStarts() {
    assertThat(schedule.at(1_000, EntropySchedule.NOT_STARTED).raw()).isEqualTo(0.01);
    assertThat(schedule.at(3, 7).raw()).isEqualTo(0.01);
  }

  @Property(tries = 100)
  void shouldNeverUseLessThanTheFloor(@ForAll @IntRange(min = 0, max = 100) int update) {
    assertThat(schedule.at(update, 0).effective()).isGreaterThanOrEqualTo(0.002);
    assertThat(new EntropySchedule(0, 0, 0.002, 0).at(update, 0).effective()).isEqualTo(0.002);
  }

  @Test
  void shouldUseFinalCoefficientWithoutDecay() {
    assertThat(new EntropySchedule(0.01, 0.004, 0, 0).at(0, 0).raw()).isEqualTo(0.004);
  }

  @Test
  void shouldHaveNothingToDecayAtTheFloor() {
    assertThat(schedule.canDecay()).isTrue();
    assertThat(new EntropySchedule(0.002, 0, 0.002, 10).canDecay()).isFalse();
    assertThat(new EntropySchedule(0.01, 0, 0.002, 0).canDecay()).isFalse();
  }

  @Test
  void shouldRefuseNegativeSettings() {
    assertThatThrownBy(() -> new EntropySchedule(-1, 0, 0, 0)).hasMessageContaining("initial");
    assertThatThrownBy(() -> new EntropySchedule(0, Double.NaN, 0, 0))
        .hasMessageContaining("final");
    assertThatThrownBy(() -> new EntropySchedule(0, 0, -1, 0)).hasMessageContaining("floor");
    assertThatThrownBy(() -> new EntropySchedule(0, 0, 0, -1)).hasMessageContaining("decay");
  }
}
