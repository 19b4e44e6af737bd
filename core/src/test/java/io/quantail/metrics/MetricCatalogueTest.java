package io.quantail.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricCatalogueTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rollout/ep_rew_mean",
        "rollout/win_rate_wilson_low",
        "rollout/sharpe_ratio",
        "train/policy_loss_ppo",
        "train/policy_loss_bc_weighted",
        "train/approx_kl_p90",
        "train/log_ratio_clamped_fraction",
        "train/ent_coef_eff",
        "train/advantages_norm_max_abs",
        "train/ret_mean",
        "train/value_scale_std_after",
        "train/value_quantile_iqr_norm",
        "train/twin_critics/loss_diff",
        "train/lstm_grad_norm/actor.lstm",
        "train/grad_norm_pre_clip",
        "train/learning_rate",
        "train/vgs_scaling_factor_applied",
        "optim/noise_to_signal",
        "vgs/normalized_variance",
        "train/explained_variance",
        "lstm/h_norm_layer12",
        "debug/vecnormalize_mean_drift",
        "diag/kl_gauss_p90",
        "time/fps",
        "warn/excessive_return_scaling",
        "error/log_ratio_issue_type",
        Metrics.NONFINITE
      })
  void shouldKnowAuditedNames(String name) {
    assertThat(MetricCatalogue.contains(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "train/los",
        "train/loss2",
        "loss",
        "time/seconds",
        "rollout/calmar_ratio",
        "train/lstm_grad_norm/",
        "train/lstm_grad_norm/a/b",
        "lstm/h_mean_layer",
        "lstm/h_mean_layer{k}"
      })
  void shouldNotKnowOtherNames(String name) {
    assertThat(MetricCatalogue.contains(name)).isFalse();
  }

  @Test
  void shouldDescribeByPattern() {
    assertThat(MetricCatalogue.describe("lstm/h_norm_layer0"))
        .contains(
            new MetricDescription(
                "lstm/h_norm_layer{k}",
                "root mean square length of the hidden state of one layer at the end of the rollout",
                "activation"));
    assertThat(MetricCatalogue.describe("train/loss").orElseThrow().unit()).isEqualTo("loss");
  }

  @Test
  void shouldGiveEveryMetricMeaningAndUnit() {
    assertThat(MetricCatalogue.entries())
        .hasSizeGreaterThan(180)
        .allSatisfy(
            entry -> {
              assertThat(entry.name()).matches("[a-z_]+/[A-Za-z0-9_/.@{}]+");
              assertThat(entry.meaning()).isNotBlank();
              assertThat(entry.unit()).isNotBlank();
            });
  }
}
