package io.quantail.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

@Requirement("LR-1")
class LearningRateScheduleTest {
  @Test
  void shouldStayConstant() {
    LearningRateSchedule schedule = LearningRateSchedule.named("constant", 3e-4, 0);

    assertThat(schedule.rate(0)).isEqualTo(3e-4);
    assertThat(schedule.rate(0.7)).isEqualTo(3e-4);
  }

  @Test
  void shouldFallLinearly() {
    LearningRateSchedule schedule = LearningRateSchedule.named("linear", 1e-3, 2e-4);

    assertThat(schedule.rate(0)).isEqualTo(1e-3);
    assertThat(schedule.rate(0.25)).isEqualTo(8e-4, within(1e-15));
    assertThat(schedule.rate(1)).isEqualTo(2e-4, within(1e-15));
  }

  @Test
  void shouldFallAlongCosine() {
    LearningRateSchedule schedule = LearningRateSchedule.named("cosine", 1e-3, 0);

    assertThat(schedule.rate(0)).isEqualTo(1e-3);
    assertThat(schedule.rate(1.0 / 3)).isEqualTo(7.5e-4, within(1e-15));
    assertThat(schedule.rate(0.5)).isEqualTo(5e-4, within(1e-15));
    assertThat(schedule.rate(1)).isEqualTo(0, within(1e-15));
  }

  @Test
  void shouldRiseToThreeTimesTheRateAndFallInOneCycle() {
    LearningRateSchedule schedule = LearningRateSchedule.named("one-cycle", 1e-4, 0);

    assertThat(schedule.rate(0)).isEqualTo(1.2e-5, within(1e-15));
    assertThat(schedule.rate(0.3)).isEqualTo(3e-4, within(1e-15));
    assertThat(schedule.rate(1)).isEqualTo(1.2e-9, within(1e-15));
  }

  @Property(tries = 100)
  void shouldPeakOnceInOneCycle(@ForAll @IntRange(min = 5, max = 300) int total) {
    LearningRateSchedule.OneCycle cycle = LearningRateSchedule.OneCycle.around(1e-4);
    double peak = 0.3 * total - 1;

    for (int step = 1; step < total; step++) {
      double change = cycle.rate(step, total) - cycle.rate(step - 1, total);
      if (step <= peak) {
        assertThat(change).isPositive();
      } else if (step - 1 >= peak) {
        assertThat(change).isNegative();
      }
    }
    assertThat(cycle.rate(total - 1, total)).isEqualTo(1.2e-9, within(1e-15));
  }

  @Test
  void shouldTolerateCyclesOfFewSteps() {
    LearningRateSchedule.OneCycle cycle = LearningRateSchedule.OneCycle.around(1e-4);

    for (int total = 1; total < 5; total++) {
      for (int step = 0; step < total; step++) {
        assertThat(cycle.rate(step, total)).isBetween(1e-9, 3e-4);
      }
    }
  }

  @Property(tries = 50)
  void shouldKeepLastRatePastTheEnd(@ForAll @DoubleRange(min = 1, max = 10) double progress) {
    for (String name : LearningRateSchedule.NAMES) {
      LearningRateSchedule schedule = LearningRateSchedule.named(name, 1e-3, 1e-5);
      assertThat(schedule.rate(progress)).isEqualTo(schedule.rate(1));
    }
    LearningRateSchedule.OneCycle cycle = LearningRateSchedule.OneCycle.around(1e-4);
    assertThat(cycle.rate(5000, 10)).isEqualTo(cycle.rate(9, 10));
  }

  @Test
  void shouldRefuseUnknownNameAndListTheKnown() {
    assertThatThrownBy(() -> LearningRateSchedule.named("cyclic", 1e-3, 0))
        .hasMessageContaining("'cyclic'")
        .hasMessageContaining("one-cycle");
  }

  @Test
  void shouldRefuseProgressThatIsNegativeOrNotANumber() {
    for (String name : LearningRateSchedule.NAMES) {
      LearningRateSchedule schedule = LearningRateSchedule.named(name, 1e-3, 0);
      assertThatThrownBy(() -> schedule.rate(-0.1)).hasMessageContaining("-0.1");
      assertThatThrownBy(() -> schedule.rate(Double.NaN)).hasMessageContaining("NaN");
    }
    assertThatThrownBy(() -> LearningRateSchedule.OneCycle.around(1).rate(-1, 10))
        .hasMessageContaining("-1, 10");
    assertThatThrownBy(() -> LearningRateSchedule.OneCycle.around(1).rate(0, 0))
        .hasMessageContaining("0, 0");
  }

  @Test
  void shouldRefuseRatesOutsideTheirRange() {
    for (String name : LearningRateSchedule.NAMES) {
      assertThatThrownBy(() -> LearningRateSchedule.named(name, 0, 0))
          .hasMessageContaining("must be positive and finite, was 0.0");
    }
    assertThatThrownBy(() -> new LearningRateSchedule.Linear(1, -1)).hasMessageContaining("-1.0");
    assertThatThrownBy(() -> new LearningRateSchedule.Cosine(1, Double.NaN))
        .hasMessageContaining("NaN");
    assertThatThrownBy(() -> new LearningRateSchedule.OneCycle(1, 1, 25, 1e4))
        .hasMessageContaining("(0, 1)");
    assertThatThrownBy(() -> new LearningRateSchedule.OneCycle(1, 0.3, 0.5, 1e4))
        .hasMessageContaining("start");
    assertThatThrownBy(() -> new LearningRateSchedule.OneCycle(1, 0.3, 25, 0))
        .hasMessageContaining("end");
  }
}
