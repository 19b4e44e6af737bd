package io.quantail.train;

import io.quantail.critic.ReturnScale;
import io.quantail.env.Episode;
import io.quantail.env.ObservationNormalizer;
import io.quantail.metrics.Metrics;
import io.quantail.ppo.Estimates;
import io.quantail.rollout.Advantages;
import io.quantail.rollout.ExplainedVariance;
import io.quantail.rollout.HiddenStatistics;
import io.quantail.rollout.Rollout;
import java.util.Arrays;
import java.util.List;

/** Turns what an iteration produced into metrics; reads only. */
final class Telemetry {
  private static final double EXTREME_ADVANTAGE = 20;
  private static final double EXCESSIVE_SCALE = 100;

  private Telemetry() {}

  static void rollout(Metrics metrics, Rollout rollout, List<Episode> episodes) {
    metrics.put(
        "rollout/raw_reward_mean_in_fraction",
        Arrays.stream(rollout.rewards()).average().orElseThrow());
    metrics.put("rollout/episodes", episodes.size());
    if (!episodes.isEmpty()) {
      metrics.put(
          "rollout/ep_rew_mean",
          episodes.stream().mapToDouble(Episode::totalReward).average().orElseThrow());
      metrics.put(
          "rollout/ep_len_mean",
          episodes.stream().mapToInt(Episode::length).average().orElseThrow());
    }
  }

  static void estimates(Metrics metrics, Estimates estimates) {
    Advantages.Normalized advantages = estimates.normalized();
    metrics.put("train/advantages_mean_raw", advantages.rawMean());
    metrics.put("train/advantages_std_raw", advantages.rawStd());
    metrics.put("train/advantages_min_raw", advantages.rawMin());
    metrics.put("train/advantages_max_raw", advantages.rawMax());
    metrics.put("train/advantages_norm_max_abs", advantages.normalizedMaxAbs());
    metrics.put("train/advantages_norm_mean", advantages.normalizedMean());
    metrics.put("train/advantages_norm_std", advantages.normalizedStd());
    advantages.warnings().forEach(name -> metrics.put(name, 1));
    if (advantages.normalizedMaxAbs() > EXTREME_ADVANTAGE) {
      metrics.put("warn/advantages_norm_large", advantages.normalizedMaxAbs());
    }
  }

  /**
   * How well the critics predict: after the update on its own data, and before it, when this
   * rollout was still unseen: the latter is a true hold-out that costs no data.
   */
  static void values(
      Metrics metrics,
      Rollout rollout,
      Estimates estimates,
      ReturnScale scale,
      double[] predictions) {
    double[] targets = estimates.targets();
    ExplainedVariance.of(targets, predictions)
        .ifPresentOrElse(
            ev -> {
              metrics.put("train/explained_variance", ev);
              metrics.put("train/explained_variance_available", 1);
            },
            () -> metrics.put("train/explained_variance_available", 0));
    ExplainedVariance.of(estimates.returns(), rollout.values())
        .ifPresent(ev -> metrics.put("train/ev/holdout", ev));
    ExplainedVariance.bias(targets, predictions)
        .ifPresent(bias -> metrics.put("train/ev/bias", bias));
    ExplainedVariance.correlation(targets, predictions)
        .ifPresent(correlation -> metrics.put("train/ev/corr", correlation));
    double squares = 0;
    for (int i = 0; i < targets.length; i++) {
      squares += (targets[i] - predictions[i]) * (targets[i] - predictions[i]);
    }
    metrics.put("train/value_mse", squares / targets.length);
    metrics.put("train/value_pred_mean", Arrays.stream(predictions).average().orElseThrow());
    metrics.put("train/target_return_mean", Arrays.stream(targets).average().orElseThrow());
    metrics.put("train/ret_mean", scale.mean());
    metrics.put("train/ret_std", scale.std());
    double factor = 1 / scale.std();
    metrics.put("train/value_target_scale", factor);
    if (factor > EXCESSIVE_SCALE) {
      metrics.put("warn/excessive_return_scaling", factor);
      metrics.put("warn/ret_std_triggering_scaling", scale.std());
    }
  }

  static void memory(Metrics metrics, List<HiddenStatistics> layers) {
    for (int layer = 0; layer < layers.size(); layer++) {
      metrics.put("lstm/h_mean_layer" + layer, layers.get(layer).mean());
      metrics.put("lstm/h_std_layer" + layer, layers.get(layer).std());
      metrics.put("lstm/h_norm_layer" + layer, layers.get(layer).norm());
    }
  }

  static void normalizer(Metrics metrics, ObservationNormalizer.Drift drift) {
    if (drift != null) {
      metrics.put("debug/vecnormalize_mean_drift", drift.meanDrift());
      metrics.put("debug/vecnormalize_std_drift", drift.stdDrift());
    }
  }
}
