package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.calibration.CalibrationReport;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RiskConfig;
import io.quantail.metrics.Metrics;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@Requirement("DIST-5")
class CalibrationAlarmTest {
  private static final CalibrationReport.Episodes LONG =
      new CalibrationReport.Episodes(299, 500, false, 3);
  private static final CalibrationReport.Episodes SHORT =
      new CalibrationReport.Episodes(299, 200, true, 3);

  private CalibrationAlarm alarm = new CalibrationAlarm(RiskConfig.defaults());

  @Test
  void shouldWarnFromTheSecondMeasurementInARow() {
    assertThat(observe(pool(0.11, 0.09))).isEmpty();
    assertThat(observe(between())).isEmpty();
    assertThat(observe(pool(0.12, 0.10)))
        .containsOnly(
            Map.entry("warn/tail_understated", 0.12), Map.entry("warn/miscalibrated", 0.10));
    assertThat(observe(between())).as("only with a measurement").isEmpty();
    assertThat(observe(pool(0.10, 0.08))).as("at the thresholds").isEmpty();
    assertThat(observe(pool(0.2, 0.2))).isEmpty();
  }

  @Test
  void shouldWarnOfATailThatIsTooDeep() {
    assertThat(observe(pool(0.014, 0.01))).isEmpty();
    assertThat(observe(pool(0.010, 0.01))).containsOnlyKeys("warn/tail_overstated");
    assertThat(observe(pool(0.015, 0.01))).isEmpty();
  }

  @Test
  void shouldWarnInEveryUpdateWhileALimitActsOnThePrediction() {
    RiskConfig limit =
        SmallRuns.override(
            RiskConfig.defaults(), List.of("mode=constraint", "measure=returns", "limit=-1"));
    alarm = new CalibrationAlarm(limit);
    String acts = "warn/limit_on_uncalibrated_tail";
    assertThat(observe(pool(0.2, 0.01))).isEmpty();
    assertThat(observe(pool(0.2, 0.01))).containsEntry(acts, 1.0);
    assertThat(observe(between())).containsOnlyKeys(acts);
    assertThat(observe(pool(0.05, 0.01))).isEmpty();
    alarm =
        new CalibrationAlarm(
            SmallRuns.override(RiskConfig.defaults(), List.of("mode=policy", "limit=-1")));
    observe(pool(0.2, 0.01));
    assertThat(observe(pool(0.2, 0.01))).doesNotContainKey(acts);
  }

  @Test
  void shouldWarnWhenNothingIsMeasuredAlthoughEpisodesAreLongEnough() {
    for (int i = 1; i < 10; i++) {
      assertThat(observe(nothing(LONG))).isEmpty();
    }
    assertThat(observe(nothing(LONG))).containsOnly(Map.entry("warn/calibration_unmeasured", 10.0));
    assertThat(observe(between())).isEmpty();
    for (int i = 0; i < 20; i++) {
      assertThat(observe(nothing(SHORT))).isEmpty();
    }
  }

  @Test
  void shouldGrantAHorizonToRolloutsMuchShorterThanIt() {
    CalibrationReport.Episodes slow = new CalibrationReport.Episodes(2995, 4000, false, 24);
    for (int i = 1; i < 24; i++) {
      assertThat(observe(nothing(slow))).isEmpty();
    }
    assertThat(observe(nothing(slow))).containsKey("warn/calibration_unmeasured");
  }

  @Test
  void shouldGoOnCountingAfterRestore() {
    observe(pool(0.2, 0.01));
    StateMap state = new StateMap();
    alarm.save(state);
    alarm = new CalibrationAlarm(RiskConfig.defaults());
    alarm.load(state);
    assertThat(observe(pool(0.2, 0.01))).containsKey("warn/tail_understated");
    alarm.load(new StateMap()); // of a build without the alarm
    assertThat(observe(pool(0.2, 0.01))).isEmpty();
  }

  @Test
  void shouldReportUndefinedAsAbsent() {
    Metrics metrics = new Metrics();
    CalibrationTelemetry.report(metrics, nothing(SHORT));
    assertThat(metrics.snapshot())
        .containsOnly(
            Map.entry("train/calibration/usable_fraction", 0.0),
            Map.entry("train/calibration/independent", 0.0),
            Map.entry("info/longest_episode_below_horizon", 200.0));
    metrics = new Metrics();
    CalibrationTelemetry.report(metrics, pool(0.05, 0.01));
    assertThat(metrics.snapshot())
        .containsEntry("train/calibration/coverage_05", 0.05)
        .containsEntry("train/calibration/independent", 201.0)
        .containsEntry("train/calibration/lag_updates", 1.5)
        .doesNotContainKeys("train/calibration/tail_realised", "train/calibration/tail_predicted");
  }

  private Map<String, Double> observe(CalibrationReport report) {
    Metrics metrics = new Metrics();
    alarm.observe(metrics, report);
    return metrics.snapshot();
  }

  private static CalibrationReport pool(double coverage, double deviation) {
    CalibrationSummary summary =
        new CalibrationSummary(40_000, 201, coverage, 0.2, 0.5, 0.95, deviation, null, null, 1.5);
    return new CalibrationReport(1, 201, Optional.of(summary), LONG);
  }

  private static CalibrationReport between() {
    return new CalibrationReport(1, 50, Optional.empty(), LONG);
  }

  private static CalibrationReport nothing(CalibrationReport.Episodes episodes) {
    return new CalibrationReport(0, 0, Optional.empty(), episodes);
  }
}
