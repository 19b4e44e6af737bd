package io.quantail.ppo;

import io.quantail.config.PpoConfig;
import io.quantail.config.RunConfig;
import io.quantail.math.Moments;
import io.quantail.math.Percentiles;
import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import io.quantail.optim.VarianceGradientScaler;
import io.quantail.robust.RobustLossTerm;
import org.jspecify.annotations.Nullable;

/** Reports one update as metrics; reads only. */
public final class UpdateTelemetry {
  private UpdateTelemetry() {}

  /** Reports the coefficients, losses, steps and effects of an update. */
  public static void report(Metrics metrics, RunConfig config, PpoUpdate.Result update) {
    batches(metrics, config.ppo());
    coefficients(metrics, config.ppo(), update.plan());
    update
        .plan()
        .clipGate()
        .ifPresent(
            gate -> valueClip(metrics, gate, config.critic().clip().thresholdExplainedVariance()));
    limits(metrics, update.limits());
    update.riskGradientNorm().ifPresent(norm -> metrics.put("debug/cvar_gradient_norm", norm));
    update.statistics().report(metrics);
    update.robust().ifPresent(robust -> robust(metrics, robust));
    update.noise().ifPresent(noise -> noise(metrics, noise));
    update.kl().report(metrics);
    outcome(metrics, update.outcome());
  }

  private static void batches(Metrics metrics, PpoConfig config) {
    metrics.put("train/expected_batch_size", config.batchSize());
    metrics.put("train/microbatch_size", (double) config.batchSize() / config.microbatches());
    metrics.put("train/grad_accum_steps", config.microbatches());
  }

  private static void coefficients(Metrics metrics, PpoConfig config, UpdateController.Plan plan) {
    EntropySchedule.Coefficient entropy = plan.entropy();
    Double last = config.entropy().finalCoefficient();
    metrics.put("train/clip_range", plan.coefficients().clipRange());
    metrics.put("train/clip_range_schedule", config.clipRange().at(plan.progress()));
    metrics.put("train/policy_bc_coef", plan.coefficients().cloning());
    metrics.put("train/ent_coef", entropy.raw());
    metrics.put("train/ent_coef_eff", entropy.effective());
    metrics.put("train/ent_coef_autoclamp", entropy.effective() > entropy.raw() ? 1 : 0);
    metrics.put("train/ent_coef_min", config.entropy().minimum());
    metrics.put("train/ent_coef_initial", config.entropy().coefficient().from());
    metrics.put("train/ent_coef_final", last == null ? config.entropy().coefficient().to() : last);
    metrics.put("train/entropy_plateau", plan.plateau().started() ? 1 : 0);
    metrics.put("train/entropy_decay_start_update", plan.plateau().decayStart());
    EntropyPlateau.slope(plan.plateau().recent())
        .ifPresent(slope -> metrics.put("train/policy_entropy_slope", slope));
    metrics.put("train/vf_coef_effective", plan.coefficients().critic());
    metrics.put("train/kl_penalty_beta", plan.coefficients().klPenalty());
    metrics.put("train/kl_epoch_factor", plan.epochFactor());
    metrics.put("train/n_epochs_effective", plan.epochs());
    PpoConfig.Kl kl = config.kl();
    if (kl.target() != null) {
      metrics.put("train/target_kl", kl.target());
      metrics.put("train/kl_exceed_stop_fraction", kl.exceedStopFraction());
    }
  }

  /**
   * @param threshold explained variance that opens the gate; null when none is needed
   */
  static void valueClip(Metrics metrics, ValueClipGate.Status gate, @Nullable Double threshold) {
    metrics.put("train/vf_clip_active", gate.open() ? 1 : 0);
    metrics.put("train/vf_clip_warmup_active", gate.remaining() > 0 ? 1 : 0);
    metrics.put("train/vf_clip_updates_remaining", gate.remaining());
    if (threshold != null) {
      metrics.put("train/vf_clip_ev_gate_active", gate.explainedEnough() ? 0 : 1);
      metrics.put("train/vf_clip_threshold_ev", threshold);
      gate.explained().ifPresent(value -> metrics.put("train/vf_clip_last_ev", value));
    }
  }

  static void limits(Metrics metrics, OptimizerStep.Limits limits) {
    metrics.put("train/learning_rate", limits.rate());
    metrics.put("train/lr_base", limits.base());
    metrics.put("train/lr_before_clip", limits.scheduled());
    metrics.put("train/lr_bound_active", limits.rate() == limits.scheduled() ? 0 : 1);
    metrics.put("train/optimizer_lr_min", limits.minimum());
    if (limits.floorHit()) {
      metrics.put("warn/optimizer_lr_floor_hit", 1);
    }
    if (Double.isFinite(limits.maxNorm())) {
      metrics.put("train/max_grad_norm_used", limits.maxNorm());
    }
  }

  private static void robust(Metrics metrics, RobustLossTerm.Summary robust) {
    long disturbed = robust.disturbed();
    metrics.put("sa_ppo/enabled", robust.active() ? 1 : 0);
    metrics.put("sa_ppo/current_epsilon", robust.epsilon());
    metrics.put("sa_ppo/adversarial_samples", disturbed);
    metrics.put("sa_ppo/clean_samples", robust.samples() - disturbed);
    metrics.put("sa_ppo/skipped_pieces", robust.skipped());
    if (disturbed > 0) {
      metrics.put("sa_ppo/adversarial_ratio", (double) disturbed / robust.samples());
      metrics.put("sa_ppo/kl_divergence", robust.divergence() / disturbed);
      metrics.put(
          "sa_ppo/robust_kl_penalty",
          RobustLossTerm.term(robust.divergence(), disturbed, robust.coefficient()));
      metrics.put("sa_ppo/avg_perturbation_norm", robust.size() / disturbed);
    }
  }

  static void noise(Metrics metrics, VarianceGradientScaler.Reading noise) {
    metrics.put("vgs/measure", noise.measure().ordinal());
    metrics.put("vgs/normalized_variance", noise.normalizedVariance());
    metrics.put("vgs/scaling_factor", noise.factor());
    metrics.put("vgs/step_count", noise.steps());
    metrics.put("vgs/warmup_active", noise.warmingUp() ? 1 : 0);
    if (!noise.tensors().isEmpty()) {
      double[] tensors = noise.tensors().stream().mapToDouble(Double::doubleValue).toArray();
      Percentiles percentiles = Percentiles.of(tensors);
      metrics.put("vgs/stochastic_var_p10", percentiles.at(0.1));
      metrics.put("vgs/stochastic_var_p50", percentiles.at(0.5));
      metrics.put("vgs/stochastic_var_p90", percentiles.at(0.9));
      metrics.put("vgs/stochastic_var_mean", Moments.mean(tensors));
    }
  }

  static void outcome(Metrics metrics, UpdateController.Outcome outcome) {
    if (outcome.refused() > 0) {
      metrics.put("error/updates_refused_in_a_row", outcome.refused());
      return;
    }
    metrics.put("train/kl_epoch_decay_applied", outcome.epochsLowered() ? 1 : 0);
    outcome.klError().ifPresent(error -> metrics.put("train/kl_penalty_error", error));
  }
}
