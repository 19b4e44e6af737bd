package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.ppo.KlEarlyStop.State;
import io.quantail.ppo.KlEarlyStop.Step;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("POL-3")
class KlEarlyStopTest {
  private static final KlEarlyStop.Smoothing NONE = new KlEarlyStop.Smoothing.None();
  private static final double TARGET = 0.02;

  @Test
  void shouldStopAtOnceAtAbsoluteLimit() {
    KlEarlyStop rules = new KlEarlyStop(true, TARGET, 2.5, 0, 0, NONE);

    assertThat(rules.beforeStep(State.START, 0.0499).stop()).isEmpty();
    assertThat(rules.beforeStep(State.START, 0.05).stop()).contains("absolute_raw");
  }

  @Test
  void shouldStopAfterConsecutiveStepsAboveTarget() {
    KlEarlyStop rules = new KlEarlyStop(true, TARGET, 0, 2, 0, NONE);

    assertThat(last(rules, 0.03, 0.01, 0.03).stop()).isEmpty();
    assertThat(last(rules, 0.01, 0.03, 0.03).stop()).contains("consec");
  }

  @Test
  void shouldCountRunAcrossEpochsButSharePerEpoch() {
    KlEarlyStop rules =
        new KlEarlyStop(true, TARGET, 0, 2, 0.5, new KlEarlyStop.Smoothing.Window(5));
    State next = last(rules, 0.03).state().nextEpoch();

    assertThat(next.exceededShare()).isZero();
    assertThat(rules.beforeStep(next, 0.03).stop()).contains("consec");
    assertThat(rules.beforeStep(next, 0.01).smoothed()).isEqualTo(0.01);
  }

  @Test
  void shouldStopAfterEpochWithTooManyStepsAboveTarget() {
    KlEarlyStop rules = new KlEarlyStop(true, TARGET, 0, 0, 0.25, NONE);

    assertThat(rules.afterEpoch(last(rules, 0.03, 0.01, 0.01, 0.01).state())).contains("fraction");
    assertThat(rules.afterEpoch(last(rules, 0.03, 0.01, 0.01, 0.01, 0.01).state())).isEmpty();
    assertThat(rules.afterEpoch(State.START)).isEmpty();
  }

  @Test
  void shouldCountSmoothedExcessToo() {
    KlEarlyStop rules = new KlEarlyStop(true, TARGET, 0, 0, 1, new KlEarlyStop.Smoothing.Window(2));

    assertThat(last(rules, 0.05, 0.01).state().exceededShare()).isEqualTo(1);
    assertThat(last(rules, 0.05, 0.01, 0.01).state().exceededShare()).isEqualTo(2.0 / 3);
  }

  @Test
  void shouldObeyOffSwitchButKeepCounting() {
    KlEarlyStop off = new KlEarlyStop(false, TARGET, 1, 1, 0.1, NONE);
    Step step = last(off, 10, 10, 10);

    assertThat(step.stop()).isEmpty();
    assertThat(off.afterEpoch(step.state())).isEmpty();
    assertThat(step.state().exceeded()).isEqualTo(3);
  }

  @Test
  void shouldNotFireRulesThatAreSetToZero() {
    KlEarlyStop none = new KlEarlyStop(true, TARGET, 0, 0, 0, NONE);
    Step step = last(none, 10, 10, 10);

    assertThat(step.stop()).isEmpty();
    assertThat(none.afterEpoch(step.state())).isEmpty();
  }

  @Test
  void shouldTreatMissingNumberAsTooFar() {
    KlEarlyStop rules = new KlEarlyStop(true, TARGET, 2.5, 0, 0, NONE);

    assertThat(rules.beforeStep(State.START, Double.NaN).stop()).contains("absolute_raw");
  }

  @Test
  void shouldSmoothExponentiallyFromFirstMeasurement() {
    KlEarlyStop rules =
        new KlEarlyStop(true, TARGET, 0, 0, 0, new KlEarlyStop.Smoothing.Exponential(0.25));

    assertThat(last(rules, 0.04).smoothed()).isEqualTo(0.04);
    assertThat(last(rules, 0.04, 0).smoothed()).isEqualTo(0.03, within(1e-15));
  }

  @Test
  void shouldRefuseImpossibleSettings() {
    assertThatThrownBy(() -> new KlEarlyStop(true, 0, 0, 0, 0, NONE))
        .hasMessage("target KL must be positive and finite, was 0.0");
    assertThatThrownBy(() -> new KlEarlyStop(true, 1, -1, 0, 0, NONE))
        .hasMessageContaining("factor");
    assertThatThrownBy(() -> new KlEarlyStop(true, 1, 0, -1, 0, NONE))
        .hasMessageContaining("consecutive");
    assertThatThrownBy(() -> new KlEarlyStop(true, 1, 0, 0, 1.5, NONE))
        .hasMessageContaining("[0, 1], was 1.5");
    assertThatThrownBy(() -> new KlEarlyStop.Smoothing.Exponential(0))
        .hasMessageContaining("(0, 1]");
    assertThatThrownBy(() -> new KlEarlyStop.Smoothing.Window(0))
        .hasMessageContaining("at least 1");
  }

  private static Step last(KlEarlyStop rules, double... measurements) {
    Step step = null;
    for (double kl : measurements) {
      step = rules.beforeStep(step == null ? State.START : step.state(), kl);
    }
    return step;
  }
}
