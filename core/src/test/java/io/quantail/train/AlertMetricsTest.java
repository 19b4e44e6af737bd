package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.metrics.Metrics;
import io.quantail.ppo.UpdateAlerts;
import io.quantail.risk.CvarController;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.telemetry.ExplainedVarianceAlarm;
import io.quantail.telemetry.RiskTelemetry;
import io.quantail.telemetry.RolloutTelemetry;
import io.quantail.telemetry.ValueTelemetry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.Map;
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
            scale(1e-3),
            thinTail(),
            smallAlpha(),
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

  private static Map<String, Double> thinTail() {
    double[] few = {1, 2, 3};
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(
        metrics,
        new CvarController(RiskConfig.defaults()).decide(few, few, ReturnScale.IDENTITY, 0));
    return metrics.snapshot();
  }

  private static Map<String, Double> smallAlpha() {
    RiskConfig config =
        SmallRuns.of(RunConfig.defaults(), "risk.mode=policy", "risk.limit=-1", "risk.alpha=0.009")
            .risk();
    double[] few = {1, 2, 3};
    Metrics metrics = new Metrics();
    RiskTelemetry.measured(
        metrics, new CvarController(config).decide(few, few, ReturnScale.IDENTITY, 0));
    return metrics.snapshot();
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

  @Test
  void shouldWarnOfExcessiveReturnScaleAboveHundred() {
    assertThat(scale(0.01)).doesNotContainKey("warn/excessive_return_scaling");
    assertThat(scale(0.005))
        .containsEntry("train/value_target_scale", 200.0)
        .containsEntry("train/ret_mean", 4.0)
        .containsEntry("train/ret_std", 0.005)
        .containsEntry("train/ret_std_candidate", 3.0)
        .containsEntry("train/value_target_scale_after", 0.5)
        .containsEntry("train/value_scale_update_applied", 1.0)
        .containsEntry("train/value_scale_jump", Math.log(2 / 0.005))
        .containsEntry("warn/excessive_return_scaling", 200.0)
        .containsEntry("warn/ret_std_triggering_scaling", 0.005);
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
            new ReturnScale(4, std), new ReturnScale(5, 3), new ReturnScale(4.5, 2), 7)
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
