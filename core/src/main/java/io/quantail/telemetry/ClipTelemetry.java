package io.quantail.telemetry;

import io.quantail.config.PpoConfig;
import io.quantail.env.ObservationSpace;
import io.quantail.loss.PolicyLoss;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Gae;
import java.util.Arrays;

/**
 * Reports the fractions of observations, advantages and cloning weights that a bound limits; reads
 * only. {@code docs/reference/clipping.md} lists all clips with their metrics; those of the update
 * are reported with its losses and gradients.
 */
public final class ClipTelemetry {
  private ClipTelemetry() {}

  /**
   * Reports the fraction of normalised observation components at their bound.
   *
   * @param observations as the network got them, one row per transition
   * @param space of the observations; its raw parts are not counted
   * @param bound {@code environment.observationClip}
   */
  public static void observations(
      Metrics metrics, float[][] observations, ObservationSpace space, double bound) {
    boolean[] raw = space.raw();
    long clipped = 0;
    long total = 0;
    float limit = (float) bound;
    for (float[] row : observations) {
      for (int i = 0; i < row.length; i++) {
        clipped += !raw[i] && Math.abs(row[i]) >= limit ? 1 : 0;
        total += raw[i] ? 0 : 1;
      }
    }
    metrics.put("rollout/observation_clip_fraction", total == 0 ? 0 : (double) clipped / total);
  }

  /** Reports the fraction of advantages at the limit of {@link Gae}. */
  public static void advantages(Metrics metrics, double[] rawAdvantages) {
    long limited = Arrays.stream(rawAdvantages).filter(a -> Math.abs(a) >= Gae.LIMIT).count();
    metrics.put("train/gae_limit_fraction", (double) limited / rawAdvantages.length);
  }

  /**
   * Reports the fraction of samples whose cloning weight is at its cap; nothing without cloning.
   */
  public static void cloning(Metrics metrics, double[] advantages, PpoConfig.Cloning config) {
    if (!config.coefficient().is(0)) {
      long capped =
          Arrays.stream(advantages)
              .filter(advantage -> PolicyLoss.cloningWeightCapped(advantage, config.beta()))
              .count();
      metrics.put("train/bc_weight_cap_fraction", (double) capped / advantages.length);
    }
  }
}
