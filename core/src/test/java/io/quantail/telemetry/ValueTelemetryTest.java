package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.metrics.Metrics;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.ReturnTargets;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.RolloutPredictions.GaussianShift;
import io.quantail.rollout.TrainingTargets;
import io.quantail.testing.Requirement;
import io.quantail.value.CategoricalCritic;
import io.quantail.value.QuantileCritic;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ValueTelemetryTest {
  private static final RolloutPredictions PREDICTIONS =
      new RolloutPredictions(
          new int[] {2, 0},
          new double[] {1, 3},
          new double[] {-4, 1.5, 2, 2.5, 6, -2, 3, 4, 5, 7},
          new double[] {-3, -5},
          new double[] {0.5, 1.5},
          new double[] {0.1, 0.3},
          new double[] {0, 0.5},
          new double[] {-1, -2},
          Optional.of(
              new GaussianShift(
                  new double[] {0.5, 1.5, 2.5, 9},
                  new double[] {1, 1, Math.E, Math.E},
                  new double[] {0.1, 0.3},
                  new double[] {0.2, 0.4})));

  @Test
  void shouldMeasureErrorsByHand() {
    Metrics metrics = new Metrics();
    ValueTelemetry.errors(metrics, new double[] {6, 4, 2, 4}, PREDICTIONS);

    assertThat(metrics.snapshot())
        .containsEntry("train/value_mse", 5.0)
        .containsEntry("train/value_rmse", Math.sqrt(5))
        .containsEntry("train/value_mae", 2.0)
        .containsEntry("train/value_pred_mean", 2.0)
        .containsEntry("train/value_pred_std", 1.0)
        .containsEntry("train/target_return_mean", 4.0)
        .containsEntry("train/target_return_std", Math.sqrt(2))
        .containsEntry("train/value_quantile_p05", -3.0)
        .containsEntry("train/value_quantile_p25", 2.25)
        .containsEntry("train/value_quantile_p50", 3.0)
        .containsEntry("train/value_quantile_p75", 3.75)
        .containsEntry("train/value_quantile_p95", 6.5)
        .containsEntry("train/value_quantile_iqr", 1.5)
        .containsEntry("train/value_quantile_iqr_norm", 1.5 / Math.sqrt(2));
    ValueTelemetry.twins(metrics, new double[] {6, 4, 2, 4}, PREDICTIONS, 1);
    assertThat(metrics.snapshot()).containsEntry("train/twin_critics/value_gap", 1.0);
  }

  /**
   * Environment 0 is predicted exactly; the errors of environment 1 are its returns, negated twice:
   * explained variance -3. Over all the returns, the distance between the environments would count
   * as explained.
   */
  @Test
  @Requirement("EV-1")
  void shouldMeasureExplainedVarianceOfEachEnvironmentAlone() {
    double[] returns = {1, 101, 3, 103, 2, 108};
    double[] values = {1, -101, 3, -103, 2, -108};
    Metrics metrics = new Metrics();
    ValueTelemetry.grouped(metrics, returns, values, 2);

    assertThat(metrics.snapshot().get("train/ev/mean_grouped_unweighted"))
        .isCloseTo((1 - 3) / 2.0, within(1e-9));
    assertThat(metrics.snapshot().get("train/ev/mean_grouped_weighted"))
        .isCloseTo((1 - 3) / 2.0, within(1e-9));
    assertThat(metrics.snapshot().get("train/ev/median_grouped"))
        .isCloseTo((1 - 3) / 2.0, within(1e-9));
  }

  @Test
  void shouldLeaveOutEnvironmentsWhoseReturnsAreConstant() {
    Metrics metrics = new Metrics();
    ValueTelemetry.grouped(metrics, new double[] {5, 1, 5, 2}, new double[] {0, 1, 9, 2}, 2);
    assertThat(metrics.snapshot().get("train/ev/median_grouped")).isCloseTo(1, within(1e-9));
    Metrics none = new Metrics();
    ValueTelemetry.grouped(none, new double[] {5, 1, 5, 1}, new double[] {0, 1, 9, 2}, 2);
    assertThat(none.snapshot()).isEmpty();
  }

  @Test
  void shouldDescribeTheShapeOfPredictionsByHand() {
    Metrics quantiles = new Metrics();
    ValueTelemetry.shapes(quantiles, PREDICTIONS, new QuantileCritic(5, 0, true));
    assertThat(quantiles.snapshot())
        .containsOnly(
            Map.entry("train/critic/mean_gap", 0.2),
            Map.entry("train/critic/crossing_fraction", 0.25));

    Metrics atoms = new Metrics();
    ValueTelemetry.shapes(atoms, PREDICTIONS, new CategoricalCritic(5, 1));
    assertThat(atoms.snapshot()).containsOnly(Map.entry("train/critic/support_edge_mass", 0.25));
  }

  /** Four particles with mean 1 and deviation 2; one is below the atoms and two are above. */
  @Test
  void shouldDescribeTheParticlesByHand() {
    double[] raw = {-1, -1, 3, 3};
    TrainingTargets targets =
        new TrainingTargets(
            AdvantageNormalizer.normalize(new double[2], 1, false),
            new double[2],
            new double[2],
            new ReturnTargets(2, raw, 0.25, 0.5),
            new float[] {-2, -1, 1.5f, 7});
    Metrics metrics = new Metrics();
    ValueTelemetry.targets(metrics, targets, new CategoricalCritic(5, 1));
    assertThat(metrics.snapshot())
        .containsOnly(
            Map.entry("train/target/mean", 1.0),
            Map.entry("train/target/std", 2.0),
            Map.entry("train/target/max_abs", 7.0),
            Map.entry("train/target/drawn_fraction", 0.25),
            Map.entry("train/target/end_weight", 0.5),
            Map.entry("train/value_target_below_frac", 0.25),
            Map.entry("train/value_target_above_frac", 0.5));
  }

  @Test
  void shouldLeaveOutRelativeSpreadOfConstantTargets() {
    Metrics metrics = new Metrics();
    ValueTelemetry.errors(metrics, new double[] {2, 2, 2}, PREDICTIONS);

    assertThat(metrics.snapshot())
        .doesNotContainKeys("train/value_quantile_iqr_norm", Metrics.NONFINITE);
  }

  @Test
  void shouldDescribeTheGaussianPolicyByHand() {
    Metrics metrics = new Metrics();
    PolicyTelemetry.report(metrics, PREDICTIONS);
    Map<String, Double> values = metrics.snapshot();

    assertThat(values)
        .containsEntry("train/log_prob_mean", -1.5)
        .containsEntry("train/raw_z_clip_fraction", 0.25)
        .containsEntry("diag/z_abs_p50", 2.0)
        .containsEntry("diag/z_abs_max", 9.0);
    // Two components a row: log sigma sums to 0 and 2, each component adds ln(2 pi e) / 2.
    assertThat(values.get("train/policy_entropy_raw"))
        .isCloseTo(1 + Math.log(2 * Math.PI * Math.E), within(1e-12));
    assertThat(values.get("diag/kl_gauss_p50")).isCloseTo(0.5, within(1e-12));
    assertThat(values.get("diag/kl_mean_term_p90")).isCloseTo(0.28, within(1e-12));
    assertThat(values.get("diag/kl_var_term_p90")).isCloseTo(0.38, within(1e-12));
  }
}
