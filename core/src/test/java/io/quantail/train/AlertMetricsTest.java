package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.calibration.CalibrationReport;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.ReturnScaleConfig;
import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.Metrics;
import io.quantail.ppo.UpdateAlerts;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.Experience;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.telemetry.CalibrationAlarm;
import io.quantail.telemetry.CalibrationTelemetry;
import io.quantail.telemetry.ExplainedVarianceAlarm;
import io.quantail.telemetry.RiskTelemetry;
import io.quantail.telemetry.RolloutTelemetry;
import io.quantail.telemetry.ValueTelemetry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Provokes every note, warning and error of the catalogue. */
class AlertMetricsTest {
  @Test
  @Requirement("MON-1")
  void shouldBeAbleToRaiseExactlyTheCataloguedAlerts() {
    Set<String> raised = new TreeSet<>();
    UpdateAlerts.all().forEach(metrics -> raised.addAll(metrics.keySet()));
    List.of(
            advantages(new double[0]),
            advantages(1, Double.NaN),
            advantages(2, 2, 2),
            advantages(outlier(20_000)),
            scale(5e-4),
            thinTail(),
            smallAlpha(),
            fewEpisodes(),
            collapsedTwins(),
            uncalibrated(0.2),
            uncalibrated(0.001),
            unmeasured(),
            lowExplainedVariance())
        .forEach(metrics -> raised.addAll(metrics.keySet()));
    raised.removeIf(name -> !name.matches("(info|warn|error)/.*"));

    assertThat(raised)
        .containsExactlyInAnyOrderElementsOf(
            MetricCatalogue.entries().stream()
                .map(MetricDescription::name)
                .filter(name -> name.matches("(info|warn|error)/.*"))
                .toList());
  }

  /** Two pools in a row that do not fit, while a limit acts on the prediction. */
  private static Map<String, Double> uncalibrated(double coverage) {
    RiskConfig limit =
        SmallRuns.override(
            RiskConfig.defaults(), List.of("mode=constraint", "measure=returns", "limit=-1"));
    CalibrationAlarm alarm = new CalibrationAlarm(limit);
    CalibrationSummary pool =
        new CalibrationSummary(40_000, 201, coverage, 0.2, 0.5, 0.95, 0.2, null, null, 1.5);
    Metrics metrics = new Metrics();
    for (int i = 0; i < 2; i++) {
      alarm.observe(metrics, new CalibrationReport(1, 201, Optional.of(pool), episodes(500)));
    }
    return metrics.snapshot();
  }

  private static Map<String, Double> unmeasured() {
    CalibrationAlarm alarm = new CalibrationAlarm(RiskConfig.defaults());
    Metrics metrics = new Metrics();
    for (int i = 0; i < 10; i++) {
      alarm.observe(metrics, new CalibrationReport(0, 0, Optional.empty(), episodes(500)));
    }
    CalibrationTelemetry.report(
        metrics, new CalibrationReport(0, 0, Optional.empty(), episodes(200)));
    return metrics.snapshot();
  }

  private static CalibrationReport.Episodes episodes(int longest) {
    return new CalibrationReport.Episodes(299, longest, true, 3);
  }

  private static Map<String, Double> thinTail() {
    double[] few = {1, 2, 3};
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(metrics, decide(RiskConfig.defaults(), few));
    return metrics.snapshot();
  }

  private static Map<String, Double> smallAlpha() {
    RiskConfig config =
        SmallRuns.of(RunConfig.defaults(), "risk.mode=policy", "risk.limit=-1", "risk.alpha=0.009")
            .risk();
    double[] few = {1, 2, 3};
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(metrics, decide(config, few));
    return metrics.snapshot();
  }

  private static Map<String, Double> fewEpisodes() {
    RiskConfig config =
        SmallRuns.of(
                RunConfig.defaults(), "risk.mode=policy", "risk.limit=-1", "risk.measure=episodes")
            .risk();
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(metrics, decide(config, 1, 2, 3));
    return metrics.snapshot();
  }

  private static CvarDecision decide(RiskConfig config, double... rewards) {
    return new CvarController(config)
        .decide(Experience.rewards(rewards), rewards, new double[1], ReturnScale.IDENTITY, 0);
  }

  @Test
  @Requirement("ADV-4")
  void shouldAlertOnLargeAndOnExtremeAdvantages() {
    assertThat(advantages(outlier(300)))
        .doesNotContainKeys("warn/advantages_norm_large", "warn/advantages_norm_extreme");
    assertThat(advantages(outlier(1_000)))
        .containsKey("warn/advantages_norm_large")
        .doesNotContainKey("warn/advantages_norm_extreme");
    Map<String, Double> extreme = advantages(outlier(20_000));
    assertThat(extreme)
        .containsEntry("train/advantages_max_raw", 1.0)
        .containsEntry("train/advantages_min_raw", 0.0)
        .containsEntry(
            "warn/advantages_norm_extreme", extreme.get("train/advantages_norm_max_abs"));
  }

  @Test
  void shouldNameTheDeviationThatWasTooSmall() {
    assertThat(advantages(2, 2, 2))
        .containsEntry("warn/advantages_std_below_threshold", 1.0)
        .containsEntry("info/advantages_std_original", 0.0)
        .containsEntry("info/advantages_epsilon_used", 1e-6);
  }

  /** {@code 1 / (10 std)}; returns of the rollout deviate by 3. */
  @Test
  @Requirement("RET-3")
  void shouldWarnOfExcessiveReturnScaleAboveHundred() {
    assertThat(scale(0.001)).doesNotContainKey("warn/excessive_return_scaling");
    assertThat(scale(0.0005))
        .containsEntry("train/value_target_scale", 200.0)
        .containsEntry("train/value_target_scale_before", 200.0)
        .containsEntry("train/value_target_scale_after", 0.05)
        .containsEntry("train/ret_mean", 4.0)
        .containsEntry("train/ret_std", 0.0005)
        .containsEntry("train/ret_std_candidate", 3.0)
        .containsEntry("train/value_scale_update_applied", 1.0)
        .containsEntry("train/value_scale_jump", Math.log(2 / 0.0005))
        .containsEntry("train/value_scale_step_limited", 1.0)
        .containsEntry("train/value_scale_floor_active", 0.0)
        .containsEntry("warn/excessive_return_scaling", 200.0)
        .containsEntry("warn/ret_std_triggering_scaling", 0.0005);
  }

  /** With the default floor of 0.003 the scale never exceeds 33.3. */
  @Test
  @Requirement("RET-3")
  void shouldWarnWhenReturnsVaryNoMoreThanTheFloorAllows() {
    ReturnScaleConfig defaults = ReturnScaleConfig.defaults();
    assertThat(cycle(defaults, 0.0031))
        .containsEntry("train/value_scale_floor_active", 0.0)
        .doesNotContainKey("warn/excessive_return_scaling");
    assertThat(cycle(defaults, 0.0029))
        .containsEntry("train/value_scale_floor_active", 1.0)
        .containsEntry("warn/ret_std_triggering_scaling", 0.0029)
        .hasEntrySatisfying(
            "warn/excessive_return_scaling",
            scale -> assertThat(scale).isCloseTo(1 / 0.03, within(1e-9)));
  }

  /** The returns of one rollout fall below the floor of 0.003, the scale in force does not. */
  @Test
  @Requirement("RET-3")
  void shouldNotWarnOfOneRolloutWithSmallReturns() {
    Metrics metrics = new Metrics();
    ReturnScale inForce = new ReturnScale(0, 0.0035);
    new ValueTelemetry.ScaleChange(
            inForce, inForce, inForce, 7, 0.0028, ReturnScaleConfig.defaults())
        .report(metrics);
    assertThat(metrics.snapshot())
        .containsEntry("train/value_scale_floor_active", 1.0)
        .doesNotContainKey("warn/excessive_return_scaling");
  }

  @Test
  @Requirement("RET-3")
  void shouldWarnWhenTheCapActs() {
    ReturnScaleConfig capped =
        SmallRuns.of(RunConfig.defaults(), "returns.stdFloor=1e-9", "returns.scaleCap=50")
            .returns();
    assertThat(cycle(capped, 0.021)).doesNotContainKey("warn/excessive_return_scaling");
    assertThat(cycle(capped, 0.019))
        .containsEntry("warn/ret_std_triggering_scaling", 0.019)
        .containsEntry("train/ret_std", 0.02);
  }

  /** Two cycles of returns with the same deviation; the row of the second. */
  private static Map<String, Double> cycle(ReturnScaleConfig config, double deviation) {
    double[] returns = {-deviation, deviation};
    ReturnScaleTracker tracker = new ReturnScaleTracker(config);
    ReturnScale before = tracker.commit(returns);
    ReturnScale candidate = tracker.candidate(returns);
    Metrics metrics = new Metrics();
    new ValueTelemetry.ScaleChange(
            before,
            candidate,
            tracker.commit(returns),
            tracker.commits(),
            tracker.dispersion(returns),
            config)
        .report(metrics);
    assertThat(metrics.snapshot()).containsEntry("train/value_scale_step_limited", 0.0);
    return metrics.snapshot();
  }

  /** Values 0.009 deviations of the targets apart. */
  private static Map<String, Double> collapsedTwins() {
    Metrics metrics = new Metrics();
    ValueTelemetry.twins(metrics, new double[] {-1, 1}, twins(0.009), 10);
    return metrics.snapshot();
  }

  private static RolloutPredictions twins(double gap) {
    double[] one = {0};
    return new RolloutPredictions(
        new int[1], one, new double[5], one, new double[] {gap}, one, one, one, Optional.empty());
  }

  @Test
  @Requirement("TWIN-3")
  void shouldWarnOfCollapsedTwinsFromTheTenthUpdateOn() {
    double[] targets = {-2, 2};
    for (long update : new long[] {1, 9}) {
      Metrics early = new Metrics();
      ValueTelemetry.twins(early, targets, twins(0), update);
      assertThat(early.snapshot())
          .containsEntry("train/twin_critics/value_gap", 0.0)
          .doesNotContainKey("warn/twin_critics_collapsed");
    }
    Metrics apart = new Metrics();
    ValueTelemetry.twins(apart, targets, twins(0.0201), 10);
    assertThat(apart.snapshot()).doesNotContainKey("warn/twin_critics_collapsed");
    Metrics collapsed = new Metrics();
    ValueTelemetry.twins(collapsed, targets, twins(0.0199), 10);
    assertThat(collapsed.snapshot()).containsEntry("warn/twin_critics_collapsed", 0.0199 / 2);
  }

  /** One advantage of 1 among zeros lies at about the square root of their number. */
  private static double[] outlier(int count) {
    double[] advantages = new double[count];
    advantages[0] = 1;
    return advantages;
  }

  private static Map<String, Double> advantages(double... raw) {
    return report(AdvantageNormalizer.normalize(raw, 1, false));
  }

  private static Map<String, Double> report(AdvantageNormalizer.Normalized normalized) {
    Metrics metrics = new Metrics();
    RolloutTelemetry.advantages(metrics, normalized);
    return metrics.snapshot();
  }

  private static Map<String, Double> scale(double std) {
    Metrics metrics = new Metrics();
    new ValueTelemetry.ScaleChange(
            new ReturnScale(4, std),
            new ReturnScale(5, 3),
            new ReturnScale(4.5, 2),
            7,
            3,
            new ReturnScaleConfig(
                ReturnScaleConfig.Mode.Z_SCORE, ReturnScaleConfig.Spread.STD, 1, 1e-6, 0, 0, 1e5))
        .report(metrics);
    return metrics.snapshot();
  }

  private static Map<String, Double> lowExplainedVariance() {
    Metrics metrics = new Metrics();
    ExplainedVarianceAlarm watch = new ExplainedVarianceAlarm();
    for (int update = 0; update < 3; update++) {
      watch.observe(metrics, OptionalDouble.of(0));
    }
    return metrics.snapshot();
  }
}
