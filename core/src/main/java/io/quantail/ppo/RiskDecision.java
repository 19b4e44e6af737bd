package io.quantail.ppo;

import io.quantail.config.RiskConfig;
import io.quantail.config.RiskMeasure;
import io.quantail.config.RiskMode;
import io.quantail.critic.Cvar;
import io.quantail.critic.ReturnScale;
import io.quantail.critic.RiskMath;
import io.quantail.metrics.Metrics;
import io.quantail.rollout.Gae;
import io.quantail.rollout.GaeInput;
import io.quantail.rollout.TailShortfall;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the limit asks of one update.
 *
 * @param samples what the tail was measured on, one for each transition
 * @param weight of the predicted CVaR in the loss
 * @param multiplier of the violation
 * @param steering what moved the multiplier; empty if nothing did
 */
public record RiskDecision(
    RiskConfig config,
    ReturnScale scale,
    double[] samples,
    RiskControl.Tail tail,
    double weight,
    double multiplier,
    Optional<RiskControl.Steering> steering) {

  RiskDecision(RiskConfig config, ReturnScale scale, double[] samples, RiskControl.Tail tail) {
    this(config, scale, samples, tail, 0, 0, Optional.empty());
  }

  /** What the loss adds; empty when the critics are left alone. */
  Optional<RiskTerm> term() {
    boolean critics = config.mode() != RiskMode.POLICY && (weight > 0 || multiplier > 0);
    return critics
        ? Optional.of(
            new RiskTerm(
                config.alpha(),
                config.method(),
                weight,
                multiplier,
                scale.normalize(config.limit()),
                config.cap() == null ? Double.POSITIVE_INFINITY : config.cap()))
        : Optional.empty();
  }

  /** Lowers the advantages of the steps that make the tail, in mode {@code policy}. */
  public Gae.Result adjust(Gae.Result gae, GaeInput input) {
    if (config.mode() != RiskMode.POLICY || multiplier == 0) {
      return gae;
    }
    double[] shortfalls = TailShortfall.centered(samples, config.alpha());
    double[] costs =
        config.measure() == RiskMeasure.REWARDS
            ? TailShortfall.traced(shortfalls, input)
            : shortfalls;
    return gae.minus(Arrays.stream(costs).map(cost -> multiplier * cost).toArray());
  }

  public void report(Metrics metrics) {
    double cvar = tail.measured().cvar();
    metrics.put("train/cvar_empirical", cvar);
    metrics.put("train/cvar_empirical_ema", tail.average().getAsDouble());
    if (tail.measured().fewSamples()) {
      metrics.put("warn/cvar_tail_samples_low", tail.measured().tailSamples());
      metrics.put("warn/cvar_tail_samples_min_threshold", RiskMath.FEW_SAMPLES);
    }
    if (config.limit() != null) {
      if (config.alpha() < Cvar.SMALL_ALPHA) {
        metrics.put("warn/cvar_alpha_small", config.alpha());
      }
      double gap = config.limit() - cvar;
      metrics.put("train/cvar_gap", gap);
      metrics.put("train/cvar_violation", Math.max(0, gap));
      metrics.put("train/cvar_violation_ema", tail.violation().getAsDouble());
    }
    if (config.measure() == RiskMeasure.RETURNS) {
      reportUnits(metrics, cvar);
    }
    reportAction(metrics);
  }

  private void reportUnits(Metrics metrics, double cvar) {
    metrics.put("train/cvar_scale", scale.std());
    metrics.put("train/cvar_empirical_unit", scale.normalize(cvar));
    if (config.limit() != null) {
      double gap = (config.limit() - cvar) / scale.std();
      metrics.put("train/cvar_limit_unit", scale.normalize(config.limit()));
      metrics.put("train/cvar_gap_unit", gap);
      metrics.put("train/cvar_violation_unit", Math.max(0, gap));
    }
  }

  private void reportAction(Metrics metrics) {
    if (config.mode() != RiskMode.OFF) {
      metrics.put("train/cvar_lambda", multiplier);
      metrics.put("train/cvar_weight_effective", weight);
      metrics.put("train/cvar_penalty_active", weight > 0 ? 1 : 0);
    }
    steering.ifPresent(
        moved -> {
          metrics.put("debug/cvar_dual_update_source", moved.source());
          metrics.put("debug/cvar_for_dual_raw", moved.cvar());
          metrics.put("debug/cvar_gap_for_dual_unit", moved.gap());
        });
  }
}
