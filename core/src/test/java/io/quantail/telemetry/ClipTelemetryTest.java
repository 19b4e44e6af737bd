package io.quantail.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.PpoConfig;
import io.quantail.env.ObservationSpace;
import io.quantail.metrics.Metrics;
import io.quantail.model.ObservationNormalizer;
import io.quantail.rollout.Gae;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("VFC-2")
class ClipTelemetryTest {

  /** A fresh normaliser has mean 0 and variance 1, so 3 and -2 are beyond 1.5. */
  @Test
  void shouldCountObservationsAtTheirBound() {
    ObservationSpace space = ObservationSpace.of(2);
    ObservationNormalizer normalizer = new ObservationNormalizer(space, 1.5);
    float[] raw = {3, 0, 1, -2, 0.5f, 1.4f};
    float[] seen = new float[6];
    normalizer.normalize(raw, 0, seen, 0, 3);
    Metrics metrics = new Metrics();
    float[][] rows = {{seen[0], seen[1]}, {seen[2], seen[3]}, {seen[4], seen[5]}};
    ClipTelemetry.observations(metrics, rows, space, 1.5);
    assertThat(metrics.snapshot()).containsEntry("rollout/observation_clip_fraction", 2 / 6.0);
    ObservationSpace partlyRaw = ObservationSpace.named("a").rawPart("b", 1);
    ClipTelemetry.observations(metrics, rows, partlyRaw, 1.5);
    assertThat(metrics.snapshot()).containsEntry("rollout/observation_clip_fraction", 1 / 3.0);
  }

  @Test
  void shouldCountAdvantagesAtTheirLimit() {
    boolean[] no = new boolean[3];
    Gae.Result gae =
        Gae.compute(
            new Gae.Input(
                3,
                new double[] {1e9, -1e7, 5},
                new double[3],
                no,
                no,
                new double[3],
                new double[3],
                0.9,
                0.9));
    Metrics metrics = new Metrics();
    ClipTelemetry.advantages(metrics, gae.advantages());
    assertThat(metrics.snapshot()).containsEntry("train/gae_limit_fraction", 2 / 3.0);
  }

  /** {@code exp(2 / 0.4) = 148} and {@code exp(1.8 / 0.4) = 90}. */
  @Test
  void shouldCountCloningWeightsAtTheirCap() {
    double[] advantages = {2, 1.8, -3, 5};
    Metrics metrics = new Metrics();
    ClipTelemetry.cloning(
        metrics,
        advantages,
        new PpoConfig.Cloning(CoefficientSchedule.constant(0.1), 0, 0.4, 0, 0));
    assertThat(metrics.snapshot()).containsEntry("train/bc_weight_cap_fraction", 0.5);

    Metrics off = new Metrics();
    ClipTelemetry.cloning(off, advantages, PpoConfig.Cloning.defaults());
    assertThat(off.snapshot()).isEmpty();
  }
}
