package io.quantail.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Gae;
import io.quantail.state.StateException;
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
    CvarDecision decision = decide(control, REWARDS, RETURNS);

    assertThat(decision.term()).isEmpty();
    assertThat(decision.adjust(gae())).isSameAs(gae());
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

    assertThat(report(decide(control, REWARDS, RETURNS)))
        .containsEntry("train/cvar_empirical", -7.0)
        .containsEntry("train/cvar_empirical_unit", -4.0)
        .containsEntry("train/cvar_limit_unit", -3.0)
        .containsEntry("train/cvar_gap_unit", 1.0)
        .containsEntry("train/cvar_violation", 2.0)
        .containsEntry("train/cvar_scale", 2.0);
  }

  @Test
  @Requirement("CVAR-3")
  void shouldMoveTheMultiplierOfTheConstraintByTheSmoothedMeasuredCvar() {
    CvarController control =
        control(
            "risk.mode=constraint",
            "risk.measure=returns",
            "risk.limit=-5",
            "risk.smoothing=0.5",
            "risk.multiplier.rate=0.1",
            "risk.multiplier.max=1");
    // Measured -7: (-5 + 7) / 2 * 0.1.
    assertThat(decide(control, REWARDS, RETURNS).multiplier()).isCloseTo(0.1, within(1e-12));

    // Measured 0, smoothed -3.5: the limit is met by 1.5, 0.75 in normalised units.
    CvarDecision second = decide(control, REWARDS, new double[] {0, 0, 0, 0});
    assertThat(second.multiplier()).isCloseTo(0.1 - 0.075, within(1e-12));
    assertThat(report(second))
        .containsEntry("debug/cvar_for_dual_raw", -3.5)
        .containsEntry("debug/cvar_gap_for_dual_unit", -0.75)
        .containsEntry("train/cvar_gap_ema", -1.5);

    CvarDecision third = decide(control, REWARDS, new double[] {0, 0, 0, 0});
    assertThat(third.multiplier()).isZero();
    assertThat(third.term()).isEmpty();
  }

  @Test
  @Requirement("CVAR-3")
  void shouldKeepTheMultiplierOfAConstraintWithinItsBounds() {
    CvarController control =
        control(
            "risk.mode=constraint",
            "risk.measure=returns",
            "risk.limit=0",
            "risk.smoothing=0",
            "risk.multiplier.rate=0.5",
            "risk.multiplier.max=1");
    List<Double> multipliers = new ArrayList<>();
    for (double cvar : new double[] {-1, -6, -6, 1, 9, -2}) { // gaps: half of these, negative
      double[] returns = {cvar, cvar, 10, 10};
      multipliers.add(decide(control, REWARDS, returns).multiplier());
    }
    assertThat(multipliers).containsExactly(0.25, 1.0, 1.0, 0.75, 0.0, 0.5);
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
    weights.add(decide(control, REWARDS, RETURNS).weight());
    for (double explained : new double[] {0.9, 0.9, 0.9, 0.1, 0.9}) {
      control.observe(OptionalDouble.of(explained));
      weights.add(decide(control, REWARDS, RETURNS).weight());
    }
    assertThat(weights).containsExactly(0.0, 0.2, 0.4, 0.4, 0.0, 0.2);

    double[] safe = {0, 0, 0, 0};
    assertThat(decide(control, REWARDS, safe).weight()).isZero();
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
    control.observe(OptionalDouble.of(0.9));
    assertThat(decide(control, REWARDS, RETURNS, 0).weight()).isEqualTo(0.4);
    assertThat(decide(control, REWARDS, RETURNS, 0.5).weight()).isEqualTo(0.25);
    assertThat(decide(control, REWARDS, RETURNS, 1).weight()).isCloseTo(0.1, within(1e-15));
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
    assertThat(decide(control, REWARDS, RETURNS).multiplier())
        .isCloseTo(0.1 * 0.5 + 2 * 0.5, within(1e-12));
    assertThat(decide(control, REWARDS, RETURNS).multiplier())
        .isCloseTo(0.2 * 0.5 + 2 * 0.5, within(1e-12));
    // On the safe side the proportional part takes back more than the sum holds.
    assertThat(decide(control, new double[] {0, 0, 0, 1}, RETURNS).multiplier()).isZero();
  }

  @Test
  @Requirement("CVAR-4")
  void shouldKeepAReserve() {
    CvarController control =
        control("risk.mode=policy", "risk.limit=-3.1", "risk.margin=0.1", "risk.smoothing=0");

    // -3 is better than -3.1, but not than -2.79.
    assertThat(decide(control, REWARDS, RETURNS).multiplier()).isPositive();
  }

  @Test
  @Requirement("CVAR-4")
  void shouldLowerTheAdvantagesOfStepsInTheTail() {
    CvarController control = control("risk.mode=policy", "risk.limit=-1", "risk.smoothing=0");
    CvarDecision decision = decide(control, REWARDS, RETURNS);

    double[] advantages = decision.adjust(gae()).advantages();

    assertThat(decision.term()).isEmpty();
    assertThat(advantages[0]).isLessThan(advantages[2]);
    assertThat(advantages[2]).isGreaterThan(gae().advantages()[2]);
    assertThat(decision.adjust(gae()).returns()).isEqualTo(gae().returns());
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
    assertThat(report(decide(control(), REWARDS, RETURNS)))
        .containsEntry("warn/cvar_tail_samples_low", 2.0)
        .containsEntry("warn/cvar_tail_samples_min_threshold", 10.0);
  }

  @Test
  @Requirement("CKPT-1")
  void shouldGoOnFromASavedState() {
    String[] settings = {"risk.mode=policy", "risk.limit=-1.5"};
    CvarController control = control(settings);
    decide(control, REWARDS, RETURNS);
    control.observe(OptionalDouble.of(0.5));
    StateMap state = new StateMap();
    control.save(state);
    CvarController other = control(settings);
    other.load(state);

    double[] next = {-9, 1, 1, 1};
    assertThat(report(decide(other, next, RETURNS)))
        .isEqualTo(report(decide(control, next, RETURNS)));
  }

  /** At alpha 0.5 the limit is undecided before forty episodes; four end in each rollout. */
  @Test
  @Requirement("CVAR-6")
  void shouldDecideNothingBeforeEnoughEpisodesHaveEnded() {
    CvarController control =
        control("risk.mode=policy", "risk.measure=episodes", "risk.limit=-1", "risk.smoothing=0");
    for (int rollout = 1; rollout < 10; rollout++) {
      CvarDecision decision = decide(control, REWARDS, RETURNS);
      assertThat(decision.multiplier()).isZero();
      assertThat(decision.adjust(gae())).isSameAs(gae());
      assertThat(report(decision))
          .containsOnly(Map.entry("warn/limit_undecided", 40.0 - 4 * rollout));
    }
    CvarDecision decided = decide(control, REWARDS, RETURNS);
    assertThat(decided.tail().orElseThrow().measured())
        .isEqualTo(new EmpiricalCvar.Empirical(-3, 20));
    assertThat(decided.multiplier()).isPositive();
    assertThat(report(decided)).doesNotContainKey("warn/limit_undecided");
  }

  /** No new episode, no new knowledge: the multiplier must not grow by the old gap. */
  @Test
  @Requirement("CVAR-6")
  void shouldChangeNothingInARolloutInWhichNoEpisodeEnds() {
    String[] settings = {"risk.mode=policy", "risk.measure=episodes", "risk.limit=-1"};
    CvarController control = control(settings);
    CvarController other = control(settings);
    for (int rollout = 0; rollout < 12; rollout++) {
      decide(control, REWARDS, RETURNS);
      decide(other, REWARDS, RETURNS);
    }
    boolean[] none = new boolean[4];
    double[] zero = new double[4];
    Gae.Input unfinished = new Gae.Input(4, REWARDS, zero, none, none, zero, zero, 0.9, 0.9);
    CvarDecision between = control.decide(unfinished, RETURNS, zero, SCALE, 0);

    assertThat(between.adjust(gae())).isSameAs(gae());
    assertThat(report(between)).isEmpty();
    assertThat(decide(control, REWARDS, RETURNS).multiplier())
        .isEqualTo(decide(other, REWARDS, RETURNS).multiplier());
  }

  @Test
  @Requirement("CKPT-1")
  void shouldReadSnapshotsOfTheBuildThatFollowedThePrediction() {
    StateMap old = new StateMap();
    old.putDouble("integral", 0.3);
    old.putLong("goodUpdates", 0);
    old.putDoubles("average", new double[] {-2});
    old.putDoubles("violationAverage", new double[] {0});
    old.putDoubles("predicted", new double[] {-1});
    old.putDoubles("explained", new double[] {0.5});

    control("risk.mode=policy", "risk.limit=-1").load(old);
    old.requireAllRead();
    CvarController constraint =
        control("risk.mode=constraint", "risk.measure=returns", "risk.limit=-5");
    assertThatThrownBy(() -> constraint.load(old))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("follows the measured one now")
        .hasMessageContaining("start a new run");
  }

  private static CvarController control(String... settings) {
    List<String> all = new ArrayList<>(List.of("risk.alpha=0.5"));
    all.addAll(List.of(settings));
    RiskConfig config = SmallRuns.override(RunConfig.defaults(), all).risk();
    return new CvarController(config);
  }

  private static CvarDecision decide(CvarController control, double[] rewards, double[] returns) {
    return decide(control, rewards, returns, 0);
  }

  private static CvarDecision decide(
      CvarController control, double[] rewards, double[] returns, double progress) {
    return control.decide(input(rewards), returns, new double[4], SCALE, progress);
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
  private static Gae.Input input(double[] rewards) {
    return new Gae.Input(
        4,
        rewards,
        new double[4],
        new boolean[] {true, true, true, true},
        new boolean[4],
        new double[4],
        new double[4],
        0.9,
        0.9);
  }
}
