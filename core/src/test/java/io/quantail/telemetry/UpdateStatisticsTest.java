package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CriticConfig;
import io.quantail.config.RiskConfig;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import io.quantail.ppo.UpdateAlerts;
import io.quantail.risk.CvarLossTerm;
import io.quantail.testing.Requirement;
import io.quantail.value.ClippedLoss;
import io.quantail.value.ValueClip;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpdateStatisticsTest {
  private static final LossCoefficients COEFFICIENTS =
      new LossCoefficients(0.2, 0.5, 2, 0.01, 0.5, Optional.empty(), Optional.empty());

  @Test
  @Requirement("POL-2")
  void shouldCountFaultyLogRatiosOfSkippedMicrobatches() {
    assertThat(UpdateAlerts.faultyRatios())
        .containsEntry("error/log_ratio_nan_or_inf_detected", 1.0)
        .containsEntry("error/log_ratio_nonfinite", 1.0)
        .containsEntry("error/log_ratio_nan_count", 4.0)
        .containsEntry("error/log_ratio_inf_count", 1.0)
        .containsEntry("error/log_ratio_total_samples", 6.0)
        .containsEntry("error/log_ratio_invalid_fraction", 5 / 6.0)
        .containsEntry("error/log_ratio_issue_type", 0.0)
        .containsEntry("warn/skipping_batch_due_to_nan_log_ratio", 2.0)
        .containsEntry("warn/ratio_all_nonfinite", 1.0)
        .doesNotContainKeys("error/nan_or_inf_loss_detected", Metrics.NONFINITE)
        .containsEntry("train/log_ratio_max_abs", (double) 0.1f);
  }

  @Test
  @Requirement("POL-2")
  void shouldTellExtremeFromClampedLogRatios() {
    Map<String, Double> metrics = UpdateAlerts.wildRatios();

    assertThat(metrics)
        .containsEntry("train/log_ratio_extreme_fraction", 2 / 3.0)
        .containsEntry("train/log_ratio_clamped_fraction", 1 / 3.0)
        .containsEntry("train/clip_fraction", 1.0)
        .containsEntry("warn/log_ratio_extreme_batch", 1.0)
        .containsEntry("warn/log_ratio_extreme_count", 2.0)
        .containsEntry("warn/log_ratio_concerning", 25.0)
        .containsEntry("warn/log_ratio_severe_instability", 25.0);
  }

  @Test
  void shouldKeepKindAndFinitePartsOfFirstFaultyLoss() {
    assertThat(UpdateAlerts.faultyCritic())
        .containsEntry("error/nan_or_inf_loss_detected", 2.0)
        .containsEntry("error/loss_value_at_nan", -1.0)
        .containsEntry("error/policy_loss_at_nan", 0.25 + 0.5 * 3 + 2 * 0.5)
        .containsEntry("error/optimizer_steps_refused", 1.0)
        .containsEntry("warn/empty_microbatch_group", 1.0)
        .doesNotContainKeys(
            "error/critic_loss_at_nan", "error/log_ratio_nonfinite", Metrics.NONFINITE);
  }

  @Test
  void shouldEmitCriticLossWhenThePolicyFailed() {
    assertThat(UpdateAlerts.faultyPolicy())
        .containsEntry("error/nan_or_inf_loss_detected", 1.0)
        .containsEntry("error/loss_value_at_nan", 0.0)
        .containsEntry("error/critic_loss_at_nan", 3.0)
        .containsEntry("train/loss", 1.0)
        .doesNotContainKeys("error/policy_loss_at_nan", "error/optimizer_steps_refused");
  }

  @Test
  @Requirement("GRAD-2")
  void shouldCountStepsRefusedForTheirGradient() {
    assertThat(UpdateAlerts.refusedGradient())
        .containsEntry("error/optimizer_steps_refused", 1.0)
        .containsEntry("warn/nonfinite_grad_norm", 1.0)
        .containsEntry("train/n_minibatches_done", 0.0)
        .doesNotContainKeys("warn/empty_microbatch_group", "train/grad_norm_pre_clip");
  }

  @Test
  void shouldWarnWhenLearningRateIsRaisedToItsBound() {
    assertThat(UpdateAlerts.floorHit())
        .containsEntry("warn/optimizer_lr_floor_hit", 1.0)
        .containsEntry("train/learning_rate", 1e-4)
        .containsEntry("train/lr_base", 1e-3)
        .hasEntrySatisfying("train/lr_before_clip", rate -> assertThat(rate).isLessThan(1e-4));
  }

  @Test
  @Requirement("POL-3")
  void shouldMeanOverSamplesOfAllSteps() {
    UpdateStatistics statistics = new UpdateStatistics(COEFFICIENTS, 2);
    double first =
        UpdateAlerts.add(
            statistics, List.of(UpdateAlerts.result(1, 0.1f, -0.3f)), UpdateAlerts.taken(2, 1));
    double second =
        UpdateAlerts.add(
            statistics, List.of(UpdateAlerts.result(4, 0.5f)), UpdateAlerts.taken(4, 1));
    Metrics metrics = new Metrics();
    statistics.report(metrics);
    Map<String, Double> values = metrics.snapshot();

    double k3 = (Math.expm1(0.1) - 0.1 + Math.expm1(-0.3) + 0.3) / 2;
    assertThat(first).isCloseTo(k3, within(1e-7));
    assertThat(second).isCloseTo(Math.expm1(0.5) - 0.5, within(1e-7));
    assertThat(values.get("train/approx_kl")).isCloseTo(-0.1, within(1e-7));
    assertThat(values.get("train/approx_kl_k3")).isCloseTo((2 * k3 + second) / 3, within(1e-7));
    assertThat(values.get("train/approx_kl_median")).isCloseTo(-0.2, within(1e-7));
    assertThat(values.get("train/approx_kl_max")).isCloseTo(0.1, within(1e-7));
    assertThat(values.get("train/kl_exact")).isEqualTo(0.5);
    assertThat(values.get("train/loss")).isEqualTo(2);
    assertThat(values.get("train/policy_loss")).isEqualTo(0.25 + 1.5 + 1);
    assertThat(values.get("train/policy_loss_kl_penalty")).isEqualTo(1);
    assertThat(values.get("train/twin_critics/loss_diff")).isEqualTo(2);
    assertThat(values.get("train/clip_fraction")).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(values.get("train/clip_fraction_batch")).isEqualTo(1);
    assertThat(values.get("train/actual_batch_size")).isEqualTo(1.5);
    assertThat(values.get("train/critics_grad_ratio")).isEqualTo(3);
    assertThat(values.get("train/value_ce_loss")).isEqualTo(3);
    assertThat(values.get("train/value_loss")).isEqualTo(0.5 * 3);
  }

  @Test
  @Requirement("GRAD-2")
  void shouldTellTheLargestGradientAndTheFractionThatWasClipped() {
    UpdateStatistics statistics = new UpdateStatistics(COEFFICIENTS, 2);
    double[] norms = {0.25, 60, 0.5, 2};
    for (double norm : norms) {
      UpdateAlerts.add(
          statistics,
          List.of(UpdateAlerts.result(1, 0)),
          new OptimizerStep.Report(true, norm, Math.min(norm, 0.5), Map.of(), Map.of()));
    }
    UpdateAlerts.add(
        statistics, List.of(UpdateAlerts.result(1, 0)), OptimizerStep.Report.refused(1e9));
    Metrics metrics = new Metrics();
    statistics.report(metrics);

    assertThat(metrics.snapshot())
        .containsEntry("train/grad_norm_pre_clip", 62.75 / 4)
        .containsEntry("train/grad_norm_pre_clip_max", 60.0)
        .containsEntry("train/grad_clip_fraction", 0.5);
  }

  @Test
  @Requirement("VFC-2")
  void shouldTellTheFractionOfSamplesWhoseRiskTermIsCapped() {
    CvarLossTerm term = new CvarLossTerm(0.05, RiskConfig.CvarMethod.POINT_MASS, 1, 2, 0.5, 0.25);
    UpdateStatistics statistics =
        new UpdateStatistics(
            new LossCoefficients(0.2, 0, 0, 0, 0, Optional.empty(), Optional.of(term)), 1);
    UpdateAlerts.add(
        statistics,
        List.of(
            risky(1, term.at(0.2)), // constraint 2 (0.5 - 0.2) = 0.6, capped
            risky(2, term.at(1)), // penalty -1, capped
            risky(5, term.at(0.45))), // penalty -0.45, capped
        UpdateAlerts.taken(1, 1));
    CvarLossTerm wide = new CvarLossTerm(0.05, RiskConfig.CvarMethod.POINT_MASS, 1, 2, 0.5, 0.5);
    UpdateStatistics half =
        new UpdateStatistics(
            new LossCoefficients(0.2, 0, 0, 0, 0, Optional.empty(), Optional.of(wide)), 1);
    UpdateAlerts.add(
        half,
        List.of(risky(1, wide.at(0.2)), risky(2, wide.at(1)), risky(5, wide.at(0.45))),
        UpdateAlerts.taken(1, 1));
    Metrics all = new Metrics();
    statistics.report(all);
    Metrics some = new Metrics();
    half.report(some);

    assertThat(all.snapshot()).containsEntry("train/cvar_cap_fraction", 1.0);
    assertThat(some.snapshot()).containsEntry("train/cvar_cap_fraction", 3 / 8.0);
  }

  private static LossResult risky(int samples, CvarLossTerm.Reading risk) {
    return new LossResult(
        samples,
        new float[samples],
        new float[samples],
        0,
        0,
        0,
        new double[] {1},
        0,
        Optional.empty(),
        risk,
        1);
  }

  @Test
  @Requirement("VFC-2")
  void shouldEmitWhatClippingTheCriticsDid() {
    LossCoefficients clipping =
        new LossCoefficients(
            0.2,
            0,
            0,
            0,
            1,
            Optional.of(new ValueClip(CriticConfig.ClipMode.MEAN_ONLY, 1, 1)),
            Optional.empty());
    UpdateStatistics statistics = new UpdateStatistics(clipping, 1);
    UpdateAlerts.add(
        statistics,
        List.of(
            clipped(1, new ClippedLoss.Reading(1, 5, 1, 0.5)),
            clipped(3, new ClippedLoss.Reading(2, 1, 0, 0))),
        UpdateAlerts.taken(1, 1));
    Metrics metrics = new Metrics();
    statistics.report(metrics);

    assertThat(metrics.snapshot())
        .containsEntry("train/critic_loss_unclipped", 1.75)
        .containsEntry("train/critic_loss_clipped", 2.0)
        .containsEntry("train/vf_clip_active_frac", 0.25)
        .containsEntry("train/vf_clip_binding_frac", 0.125);
  }

  private static LossResult clipped(int samples, ClippedLoss.Reading reading) {
    return new LossResult(
        samples,
        new float[samples],
        new float[samples],
        0,
        0,
        0,
        new double[] {1},
        0,
        Optional.of(reading),
        CvarLossTerm.Reading.NONE,
        1);
  }

  @Test
  @Requirement("ENT-1")
  void shouldEmitMeanAndRangeOfEntropy() {
    LossResult result =
        new LossResult(
            2,
            new float[2],
            new float[] {0.5f, 1.5f},
            0,
            0,
            0,
            new double[] {1, 1},
            0,
            Optional.empty(),
            CvarLossTerm.Reading.NONE,
            1);

    assertThat(UpdateAlerts.report(List.of(result), UpdateAlerts.taken(1, 1)))
        .containsEntry("train/policy_entropy", 1.0)
        .containsEntry("train/entropy_loss", -1.0)
        .containsEntry("train/policy_entropy_min", 0.5)
        .containsEntry("train/policy_entropy_max", 1.5);
  }
}
