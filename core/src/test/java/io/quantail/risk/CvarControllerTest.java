package io.quantail.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import io.quantail.telemetry.RiskTelemetry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CvarControllerTest {
  private static final ReturnScale SCALE = new ReturnScale(1, 2);
  private static final double[] REWARDS = {-4, -2, 0, 2};
  private static final double[] RETURNS = {-8, -6, 0, 4};

  @Test
  @Requirement("CVAR-3")
  void shouldActOnNothingWhenOffButMeasure() {
    CvarController control = control("risk.mode=off", "risk.limit=-1");
    CvarDecision decision = control.decide(REWARDS, RETURNS, SCALE, 0);

    assertThat(decision.term()).isEmpty();
    assertThat(decision.adjust(gae(), input())).isSameAs(gae());
    assertThat(report(decision))
        .containsEntry("train/cvar_empirical", -3.0)
        .containsEntry("train/cvar_gap", 2.0)
        .doesNotContainKey("train/cvar_lambda");
  }

  @Test
  @Requirement("CVAR-5")
  void shouldCompareReturnsWithALimitOnReturns() {
    CvarController control =
        control("risk.mode=constraint", "risk.measure=returns", "risk.limit=-5");

    assertThat(report(control.decide(REWARDS, RETURNS, SCALE, 0)))
        .containsEntry("train/cvar_empirical", -7.0)
        .containsEntry("train/cvar_empirical_unit", -4.0)
        .containsEntry("train/cvar_limit_unit", -3.0)
        .containsEntry("train/cvar_gap_unit", 1.0)
        .containsEntry("train/cvar_violation", 2.0)
        .containsEntry("train/cvar_scale", 2.0);
  }

  @Test
  @Requirement("CVAR-3")
  void shouldMoveTheMultiplierByThePredictionOnceThereIsOne() {
    CvarController control =
        control(
            "risk.mode=constraint",
            "risk.measure=returns",
            "risk.limit=-5",
            "risk.multiplier.rate=0.1",
            "risk.multiplier.max=1");
    CvarDecision first = control.decide(REWARDS, RETURNS, SCALE, 0);
    assertThat(first.multiplier()).isCloseTo(0.1, within(1e-12)); // rollout: (-5 + 7) / 2 * 0.1
    assertThat(report(first)).containsEntry("debug/cvar_dual_update_source", 1.0);

    observe(control, -6, -2); // predicted -7 in raw units
    CvarDecision second = control.decide(REWARDS, new double[] {0, 0, 0, 0}, SCALE, 0);
    assertThat(second.multiplier()).isCloseTo(0.2, within(1e-12));
    assertThat(report(second)).containsEntry("debug/cvar_dual_update_source", 0.0);

    observe(control, 20, 20); // far better than the limit
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).multiplier()).isZero();
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).term()).isEmpty();
  }

  @Test
  @Requirement("CVAR-3")
  void shouldRampThePenaltyInWhileTheLimitIsBrokenAndTheCriticsExplain() {
    CvarController control =
        control(
            "risk.mode=penalty",
            "risk.measure=returns",
            "risk.limit=-5",
            "risk.penalty.weight=0.4",
            "risk.penalty.rampUpdates=2");
    List<Double> weights = new ArrayList<>();
    weights.add(control.decide(REWARDS, RETURNS, SCALE, 0).weight());
    for (double explained : new double[] {0.9, 0.9, 0.9, 0.1, 0.9}) {
      control.observe(new double[] {0}, OptionalDouble.of(explained), SCALE);
      weights.add(control.decide(REWARDS, RETURNS, SCALE, 0).weight());
    }
    assertThat(weights).containsExactly(0.0, 0.2, 0.4, 0.4, 0.0, 0.2);

    double[] safe = {0, 0, 0, 0};
    assertThat(control.decide(REWARDS, safe, SCALE, 0).weight()).isZero();
  }

  @Test
  @Requirement("POL-4")
  void shouldScheduleTheWeightOfThePenaltyOverTheRun() {
    CvarController control =
        control(
            "risk.mode=penalty",
            "risk.measure=returns",
            "risk.limit=-5",
            "risk.penalty.weight={from: 0.4, to: 0.1, shape: linear}",
            "risk.penalty.rampUpdates=1");
    control.observe(new double[] {0}, OptionalDouble.of(0.9), SCALE);
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).weight()).isEqualTo(0.4);
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0.5).weight()).isEqualTo(0.25);
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 1).weight()).isCloseTo(0.1, within(1e-15));
  }

  @Test
  @Requirement("CVAR-4")
  void shouldFollowTheMeasuredViolationInProportionAndInSum() {
    CvarController control =
        control(
            "risk.mode=policy",
            "risk.limit=-1.5",
            "risk.margin=0",
            "risk.smoothing=0",
            "risk.multiplier.rate=0.1",
            "risk.multiplier.gain=2");

    // Measured -3 against -1.5: half of the larger.
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).multiplier())
        .isCloseTo(0.1 * 0.5 + 2 * 0.5, within(1e-12));
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).multiplier())
        .isCloseTo(0.2 * 0.5 + 2 * 0.5, within(1e-12));
    // On the safe side the proportional part takes back more than the sum holds.
    assertThat(control.decide(new double[] {0, 0, 0, 1}, RETURNS, SCALE, 0).multiplier()).isZero();
  }

  @Test
  @Requirement("CVAR-4")
  void shouldKeepAReserve() {
    CvarController control =
        control("risk.mode=policy", "risk.limit=-3.1", "risk.margin=0.1", "risk.smoothing=0");

    // -3 is better than -3.1, but not than -2.79.
    assertThat(control.decide(REWARDS, RETURNS, SCALE, 0).multiplier()).isPositive();
  }

  @Test
  @Requirement("CVAR-4")
  void shouldLowerTheAdvantagesOfStepsInTheTail() {
    CvarController control = control("risk.mode=policy", "risk.limit=-1", "risk.smoothing=0");
    CvarDecision decision = control.decide(REWARDS, RETURNS, SCALE, 0);

    double[] advantages = decision.adjust(gae(), input()).advantages();

    assertThat(decision.term()).isEmpty();
    assertThat(advantages[0]).isLessThan(advantages[2]);
    assertThat(advantages[2]).isGreaterThan(gae().advantages()[2]);
    assertThat(decision.adjust(gae(), input()).returns()).isEqualTo(gae().returns());
  }

  @Test
  @Requirement("CVAR-1")
  void shouldWarnOfATailThatTheCriticCannotResolve() {
    CriticConfig critic =
        SmallRuns.override(RunConfig.defaults(), List.of("critic.quantiles=32")).critic();
    RiskConfig thin =
        SmallRuns.override(RunConfig.defaults(), List.of("risk.limit=-1", "risk.alpha=0.02"))
            .risk();

    assertThat(CvarController.warnings(thin, critic))
        .singleElement()
        .asString()
        .contains("risk.alpha 0.02 is below 1/32")
        .contains("% off");
    assertThat(CvarController.warnings(RiskConfig.defaults(), critic)).isEmpty();
  }

  @Test
  @Requirement("CVAR-1")
  void shouldWarnOfAThinTail() {
    assertThat(report(control().decide(REWARDS, RETURNS, SCALE, 0)))
        .containsEntry("warn/cvar_tail_samples_low", 2.0)
        .containsEntry("warn/cvar_tail_samples_min_threshold", 10.0);
  }

  @Test
  @Requirement("CKPT-1")
  void shouldGoOnFromASavedState() {
    String[] settings = {"risk.mode=policy", "risk.limit=-1.5"};
    CvarController control = control(settings);
    control.decide(REWARDS, RETURNS, SCALE, 0);
    observe(control, -6, -2);
    StateMap state = new StateMap();
    control.save(state);
    CvarController other = control(settings);
    other.load(state);

    double[] next = {-9, 1, 1, 1};
    assertThat(report(other.decide(next, RETURNS, SCALE, 0)))
        .isEqualTo(report(control.decide(next, RETURNS, SCALE, 0)));
  }

  private static CvarController control(String... settings) {
    List<String> all = new ArrayList<>(List.of("risk.alpha=0.5"));
    all.addAll(List.of(settings));
    RiskConfig config = SmallRuns.override(RunConfig.defaults(), all).risk();
    return new CvarController(config);
  }

  private static void observe(CvarController control, double... cvars) {
    control.observe(cvars, OptionalDouble.empty(), SCALE);
  }

  private static Map<String, Double> report(CvarDecision decision) {
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(metrics, decision);
    RiskTelemetry.action(metrics, decision);
    return metrics.snapshot();
  }

  private static final Gae.Result GAE = new Gae.Result(new double[] {1, 1, 1, 1}, RETURNS);

  private static Gae.Result gae() {
    return GAE;
  }

  /** Four environments, one step each. */
  private static Gae.Input input() {
    return new Gae.Input(
        4,
        REWARDS,
        new double[4],
        new boolean[] {true, true, true, true},
        new boolean[4],
        new double[4],
        new double[4],
        0.9,
        0.9);
  }
}
