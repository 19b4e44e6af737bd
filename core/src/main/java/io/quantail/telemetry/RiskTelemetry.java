package io.quantail.telemetry;

import io.quantail.config.RiskConfig;
import io.quantail.metrics.Metrics;
import io.quantail.risk.CvarController;
import io.quantail.risk.CvarDecision;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.value.Cvar;
import io.quantail.value.ReturnScale;

/** Reports the measured and predicted tail, and how the CVaR limit acts; reads only. */
public final class RiskTelemetry {
  private RiskTelemetry() {}

  /**
   * Reports one update.
   *
   * @param predictedCvar mean CVaR that the critics predict after the update, normalised units
   */
  public static void report(Metrics metrics, CvarDecision decision, double predictedCvar) {
    measured(metrics, decision);
    action(metrics, decision);
    predicted(metrics, decision, predictedCvar);
  }

  /** Reports the tail that was measured on the rollout, or how many episodes are missing for it. */
  public static void measured(Metrics metrics, CvarDecision decision) {
    RiskConfig config = decision.config();
    if (config.limit() != null && config.alpha() < Cvar.SMALL_ALPHA) {
      metrics.put("warn/cvar_alpha_small", config.alpha());
    }
    if (config.mode() != RiskConfig.Mode.OFF && decision.missingEpisodes() > 0) {
      metrics.put("warn/limit_undecided", decision.missingEpisodes());
    }
    decision.tail().ifPresent(tail -> tail(metrics, decision, tail));
  }

  private static void tail(Metrics metrics, CvarDecision decision, CvarController.Tail tail) {
    RiskConfig config = decision.config();
    EmpiricalCvar.Empirical measured = tail.measured();
    metrics.put("train/cvar_empirical", measured.cvar());
    metrics.put("train/cvar_empirical_ema", tail.average());
    if (measured.fewSamples()) {
      metrics.put("warn/cvar_tail_samples_low", measured.tailSamples());
      metrics.put("warn/cvar_tail_samples_min_threshold", EmpiricalCvar.FEW_SAMPLES);
    }
    if (config.limit() != null) {
      double gap = config.limit() - measured.cvar();
      metrics.put("train/cvar_gap", gap);
      metrics.put("train/cvar_gap_ema", config.limit() - tail.average());
      metrics.put("train/cvar_violation", Math.max(0, gap));
      metrics.put("train/cvar_violation_ema", tail.violation().getAsDouble());
    }
    if (config.measure() == RiskConfig.Measure.RETURNS) {
      normalised(metrics, config, decision.scale(), measured.cvar());
    }
  }

  private static void normalised(
      Metrics metrics, RiskConfig config, ReturnScale scale, double cvar) {
    metrics.put("train/cvar_scale", scale.std());
    metrics.put("train/cvar_empirical_unit", scale.normalize(cvar));
    if (config.limit() != null) {
      double gap = (config.limit() - cvar) / scale.std();
      metrics.put("train/cvar_limit_unit", scale.normalize(config.limit()));
      metrics.put("train/cvar_gap_unit", gap);
      metrics.put("train/cvar_violation_unit", Math.max(0, gap));
    }
  }

  /** Reports the weight and the multiplier. */
  public static void action(Metrics metrics, CvarDecision decision) {
    if (decision.config().mode() != RiskConfig.Mode.OFF && decision.tail().isPresent()) {
      metrics.put("train/cvar_lambda", decision.multiplier());
      metrics.put(
          "train/cvar_lambda_at_max",
          decision.multiplier() >= decision.config().multiplier().max() ? 1 : 0);
      metrics.put("train/cvar_weight_effective", decision.weight());
      metrics.put("train/cvar_penalty_active", decision.weight() > 0 ? 1 : 0);
    }
    decision
        .steering()
        .ifPresent(
            steering -> {
              metrics.put("debug/cvar_for_dual_raw", steering.cvar());
              metrics.put("debug/cvar_gap_for_dual_unit", steering.gap());
            });
  }

  /** Reports the tail that the critics predict. */
  public static void predicted(Metrics metrics, CvarDecision decision, double predictedCvar) {
    RiskConfig config = decision.config();
    ReturnScale scale = decision.scale();
    metrics.put("train/cvar_unit", predictedCvar);
    metrics.put("train/cvar_raw", scale.denormalize(predictedCvar));
    if (config.limit() != null && config.measure() == RiskConfig.Measure.RETURNS) {
      metrics.put(
          "train/predicted_cvar_violation_unit",
          Math.max(0, scale.normalize(config.limit()) - predictedCvar));
    }
  }
}
