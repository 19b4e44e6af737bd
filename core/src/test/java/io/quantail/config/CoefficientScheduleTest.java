package io.quantail.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("POL-4")
class CoefficientScheduleTest {
  private static final double EXACT = 1e-15;

  /** For the cosine: 0.1 + 0.3 / 2 (1 + cos(pi p)), with cos(pi / 4) = 0.7071067811865476. */
  @ParameterizedTest
  @CsvSource({
    "LINEAR, 0, 0.4",
    "LINEAR, 0.25, 0.325",
    "LINEAR, 0.5, 0.25",
    "LINEAR, 1, 0.1",
    "COSINE, 0, 0.4",
    "COSINE, 0.25, 0.35606601717798214",
    "COSINE, 0.5, 0.25",
    "COSINE, 1, 0.1",
  })
  void shouldGoFromOneEndToTheOther(
      CoefficientSchedule.Shape shape, double progress, double expected) {
    assertThat(new CoefficientSchedule(0.4, 0.1, shape).at(progress))
        .isCloseTo(expected, within(EXACT));
  }

  @Test
  void shouldReachZeroAndStayThere() {
    for (CoefficientSchedule.Shape shape :
        new CoefficientSchedule.Shape[] {
          CoefficientSchedule.Shape.LINEAR, CoefficientSchedule.Shape.COSINE
        }) {
      CoefficientSchedule falling = new CoefficientSchedule(0.2, 0, shape);
      assertThat(falling.at(1)).isZero();
      assertThat(falling.at(1.5)).isZero();
      for (int i = 0; i <= 1000; i++) {
        assertThat(falling.at(i / 1000.0)).isBetween(0.0, 0.2);
      }
    }
  }

  @Test
  void shouldKeepAConstantToTheLastBit() {
    CoefficientSchedule constant = CoefficientSchedule.constant(0.1 + 0.2);
    for (double progress : new double[] {0, 1 / 3.0, 1}) {
      assertThat(constant.at(progress)).isEqualTo(0.1 + 0.2);
    }
    assertThat(constant.is(0.1 + 0.2)).isTrue();
    assertThat(constant.is(0.3)).isFalse();
  }

  @Test
  void shouldBeConstantWhenItsEndsAreEqual() {
    assertThat(new CoefficientSchedule(0.2, 0.2, CoefficientSchedule.Shape.COSINE))
        .isEqualTo(CoefficientSchedule.constant(0.2));
    assertThat(new CoefficientSchedule(0.2, 0, CoefficientSchedule.Shape.LINEAR).isConstant())
        .isFalse();
    assertThatThrownBy(() -> new CoefficientSchedule(0.2, 0, CoefficientSchedule.Shape.CONSTANT))
        .hasMessage("a constant schedule needs equal ends, were 0.2 and 0.0");
  }

  @Test
  void shouldBeWrittenAsInAConfiguration() {
    assertThat(CoefficientSchedule.constant(3e-4)).hasToString("0.0003");
    assertThat(new CoefficientSchedule(0.2, 0, CoefficientSchedule.Shape.COSINE))
        .hasToString("{from: 0.2, to: 0, shape: cosine}");
  }

  @Test
  void shouldRefuseNegativeProgress() {
    assertThatThrownBy(() -> CoefficientSchedule.constant(1).at(-0.1))
        .hasMessageContaining("was -0.1");
    assertThatThrownBy(() -> CoefficientSchedule.constant(1).at(Double.NaN))
        .hasMessageContaining("was NaN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ppo.clipRange=1 | ppo.clipRange must be in (0, 1), was 1",
        "ppo.clipRange=0 | ppo.clipRange must be in (0, 1), was 0",
        "ppo.clipRange=NaN | ppo.clipRange must be a finite number, was NaN",
        "ppo.clipRange={from: 0, to: 0.1, shape: linear} | ppo.clipRange.from must be in (0, 1),"
            + " was 0",
        "ppo.clipRange={from: 0.2, to: 1, shape: linear} | ppo.clipRange.to must be in [0, 1), was 1",
        "critic.coefficient={from: 0.5, to: -1, shape: cosine} | critic.coefficient.to must be at"
            + " least 0, was -1",
        "critic.coefficient={from: 0.5, to: NaN, shape: cosine} | critic.coefficient.to must be a"
            + " finite number, was NaN",
        "ppo.entropy.coefficient={from: -1, to: 0, shape: linear} | ppo.entropy.coefficient.from"
            + " must be at least 0, was -1",
        "ppo.cloning.coefficient=-1 | ppo.cloning.coefficient must be at least 0, was -1",
        "risk.penalty.weight={from: -1, to: 0, shape: linear} | risk.penalty.weight.from must be at"
            + " least 0, was -1",
      })
  void shouldRefuseEndsOutOfRange(String override, String message) {
    assertThatThrownBy(() -> SmallRuns.of(RunConfig.defaults(), override))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "ppo.clipRange, ppo.clipRangeWarmupUpdates, 0, 10",
    "ppo.entropy.coefficient, ppo.entropy.finalCoefficient, null, 0",
    "ppo.entropy.coefficient, ppo.entropy.decayUpdates, 0, 20",
    "ppo.entropy.coefficient, ppo.entropy.plateauWindow, 0, 5",
    "ppo.entropy.coefficient, ppo.entropy.plateauTolerance, 0, 0.1",
    "ppo.entropy.coefficient, ppo.entropy.plateauMinUpdates, 0, 3",
    "ppo.cloning.coefficient, ppo.cloning.finalCoefficient, 0, 0.1",
    "ppo.cloning.coefficient, ppo.cloning.warmupSteps, 0, 1000",
    "ppo.cloning.coefficient, ppo.cloning.decaySteps, 0, 1000",
  })
  void shouldRefuseAScheduleBesideAnotherCourse(
      String coefficient, String other, String unused, String value) {
    String schedule = coefficient + "={from: 0.2, to: 0.1, shape: linear}";

    assertThat(SmallRuns.of(RunConfig.defaults(), schedule, other + "=" + unused)).isNotNull();
    assertThatThrownBy(() -> SmallRuns.of(RunConfig.defaults(), schedule, other + "=" + value))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "%s must be %s when %s is a schedule, was %s; leave one of them out"
                .formatted(other, unused, coefficient, value));
  }
}
