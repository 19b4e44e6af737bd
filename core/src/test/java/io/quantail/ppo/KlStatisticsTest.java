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
  private static final KlEarlyStop RULES =
      new KlEarlyStop(true, 0.1, 0, 0, 0, new KlSmoothing.None());

  @Test
  void shouldFollowStepsAboveTarget() {
    Map<String, Double> metrics = report(Optional.empty(), 0.2, 0.05, 0.3, 0.4, 0.01);

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
  @CsvSource({"absolute_raw, 1, 1", "consec, 2, 0", "fraction, 3, 0"})
  void shouldEncodeReason(String reason, double code, double absolute) {
    assertThat(report(Optional.of(reason), 0.2))
        .containsEntry("train/kl_early_stop", 1.0)
        .containsEntry("train/kl_stop_reason", code)
        .containsEntry("train/kl_absolute_stop_trigger", absolute)
        .containsEntry("train/kl_exceed_frac_at_stop", 1.0);
  }

  @Test
  void shouldSayNothingOfExcessWithoutOne() {
    assertThat(report(Optional.empty(), 0.05)).doesNotContainKey("train/kl_last_exceeded");
  }

  private static Map<String, Double> report(Optional<String> stop, double... divergences) {
    KlStatistics statistics = new KlStatistics();
    KlEarlyStop.State state = KlEarlyStop.State.START;
    for (double divergence : divergences) {
      KlEarlyStop.Step judged = RULES.afterStep(state, divergence);
      state = judged.state();
      statistics.add(divergence, judged);
    }
    Metrics metrics = new Metrics();
    statistics.report(metrics, stop, state.exceededShare());
    return metrics.snapshot();
  }
}
