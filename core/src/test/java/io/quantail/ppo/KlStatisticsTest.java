package io.quantail.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.Metrics;
import io.quantail.testing.Requirement;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("POL-3")
class KlStatisticsTest {
  private static final KlEarlyStop MEASURING = rules(0, 0, 0);

  private static KlEarlyStop rules(double absolute, int consecutive, double fraction) {
    return new KlEarlyStop(
        true, 0.1, absolute, consecutive, fraction, new KlEarlyStop.Smoothing.None());
  }

  @Test
  void shouldFollowStepsAboveTarget() {
    Map<String, Double> metrics = report(MEASURING, 0.2, 0.05, 0.3, 0.4, 0.01);

    assertThat(metrics)
        .containsEntry("train/kl_early_stop", 0.0)
        .containsEntry("train/kl_stop_reason", 0.0)
        .containsEntry("train/kl_exceed_frac", 0.6)
        .containsEntry("train/kl_exceed_consec_max", 2.0)
        .containsEntry("train/kl_last_exceeded", 0.4)
        .containsEntry("train/approx_kl_ema", 0.01)
        .doesNotContainKey("train/kl_exceed_frac_at_stop");
  }

  @ParameterizedTest
  @CsvSource({"1.5, 0, 0, 1, 1", "0, 1, 0, 2, 0", "0, 0, 0.5, 3, 0"})
  void shouldEncodeReason(
      double factor, int consecutive, double fraction, double code, double absolute) {
    assertThat(report(rules(factor, consecutive, fraction), 0.2))
        .containsEntry("train/kl_early_stop", 1.0)
        .containsEntry("train/kl_stop_reason", code)
        .containsEntry("train/kl_absolute_stop_trigger", absolute)
        .containsEntry("train/kl_exceed_frac_at_stop", 1.0);
  }

  @Test
  void shouldSayNothingOfExcessWithoutOne() {
    assertThat(report(MEASURING, 0.05)).doesNotContainKey("train/kl_last_exceeded");
  }

  @Test
  void shouldIgnoreStepsWithoutAUsableMicrobatch() {
    KlStatistics statistics = new KlStatistics(Optional.of(rules(0, 1, 0)));
    statistics.startEpoch();
    assertThat(statistics.refuses(Double.NaN, 1)).isFalse();
    assertThat(statistics.stopped()).isFalse();
    assertThat(statistics.refuses(0.2, 1)).isTrue();
    assertThat(statistics.stopped()).isTrue();
  }

  @Test
  void shouldNeverRefuseTheFirstStepOfAnUpdate() {
    KlStatistics statistics = new KlStatistics(Optional.of(rules(1, 1, 0)));
    statistics.startEpoch();
    assertThat(statistics.refuses(0.2, 0)).isFalse();
    assertThat(statistics.stopped()).isFalse();
    assertThat(statistics.refuses(0.05, 1)).isFalse();
    assertThat(statistics.refuses(0.2, 2)).isTrue();
  }

  @Test
  void shouldNeverStopOrReportWithoutATarget() {
    KlStatistics statistics = new KlStatistics(Optional.empty());
    statistics.startEpoch();
    assertThat(statistics.refuses(1e9, 1)).isFalse();
    statistics.afterEpoch();
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    assertThat(statistics.stopped()).isFalse();
    assertThat(metrics.snapshot()).isEmpty();
  }

  /** One epoch of steps with the given divergences. */
  private static Map<String, Double> report(KlEarlyStop rules, double... divergences) {
    KlStatistics statistics = new KlStatistics(Optional.of(rules));
    statistics.startEpoch();
    for (double divergence : divergences) {
      statistics.refuses(divergence, 1);
    }
    if (!statistics.stopped()) {
      statistics.afterEpoch();
    }
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    return metrics.snapshot();
  }
}
