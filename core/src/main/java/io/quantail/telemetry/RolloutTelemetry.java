package io.quantail.telemetry;

import io.quantail.config.RolloutConfig;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.math.Moments;
import io.quantail.math.Percentiles;
import io.quantail.metrics.Metrics;
import io.quantail.model.ObservationNormalizer;
import io.quantail.robust.AdversarialRollouts;
import io.quantail.rollout.AdvantageNormalizer;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.TrainingTargets;
import java.util.Arrays;
import java.util.List;

/** Reports the rollout, advantages and recurrent states of an iteration as metrics; reads only. */
public final class RolloutTelemetry {
  private static final double LARGE_ADVANTAGE = 20;

  /** A log-return above this is more than a tenfold gain in one step: a fault in the data. */
  private static final double TENFOLD = Math.log(10);

  private RolloutTelemetry() {}

  /** Reports rewards, episodes and the entropy of the actions. */
  public static void rollout(Metrics metrics, Rollout rollout, List<EpisodeSummary> episodes) {
    double[] rewards = rollout.rewards();
    Percentiles percentiles = Percentiles.of(rewards);
    metrics.put("rollout/raw_reward_mean_in_fraction", Moments.mean(rewards));
    metrics.put(
        "rollout/reward_gt_log10_fraction",
        Moments.mean(Arrays.stream(rewards).map(reward -> reward > TENFOLD ? 1 : 0).toArray()));
    metrics.put("train/reward_raw_p50", percentiles.at(0.5));
    metrics.put("train/reward_raw_p95", percentiles.at(0.95));
    double surprise = 0;
    for (float logProbability : rollout.logProbabilities()) {
      surprise -= logProbability;
    }
    metrics.put("rollout/policy_entropy", surprise / rollout.logProbabilities().length);
    metrics.put("rollout/episodes", episodes.size());
    if (!episodes.isEmpty()) {
      metrics.put(
          "rollout/ep_rew_mean",
          Moments.mean(episodes.stream().mapToDouble(EpisodeSummary::totalReward).toArray()));
      metrics.put(
          "rollout/ep_len_mean",
          Moments.mean(episodes.stream().mapToDouble(EpisodeSummary::length).toArray()));
    }
  }

  /** Reports the number of attacked environments and the returns of their episodes, if any. */
  public static void attacked(
      Metrics metrics, AdversarialRollouts attacked, List<EpisodeSummary> episodes) {
    if (attacked.count() > 0) {
      metrics.put("sa_ppo/attacked_environments", attacked.count());
      attacked.meanReturn(episodes).ifPresent(mean -> metrics.put("sa_ppo/attacked_return", mean));
    }
  }

  /** Reports the costs that environments give; values that are not finite count as missing. */
  public static void rewardCosts(Metrics metrics, double[] costs) {
    double[] finite = finite(costs);
    if (finite.length > 0) {
      metrics.put("train/reward_costs_in_fraction", Percentiles.of(finite).at(0.5));
      metrics.put("train/reward_costs_mean_in_fraction", Moments.mean(finite));
    }
  }

  /** The finite values of a sample. */
  public static double[] finite(double[] sample) {
    return Arrays.stream(sample).filter(Double::isFinite).toArray();
  }

  /** Reports returns and advantages. */
  public static void estimates(Metrics metrics, RolloutConfig config, TrainingTargets estimates) {
    metrics.put("train/gamma", config.gamma());
    metrics.put("train/gae_lambda", config.gaeLambda());
    metrics.put(
        "train/returns_abs_p95",
        Percentiles.of(Arrays.stream(estimates.returns()).map(Math::abs).toArray()).at(0.95));
    Percentiles scores = Percentiles.of(estimates.advantages());
    metrics.put("train/adv_z_p10", scores.at(0.1));
    metrics.put("train/adv_z_p50", scores.at(0.5));
    metrics.put("train/adv_z_p90", scores.at(0.9));
    advantages(metrics, estimates.normalized());
  }

  /** Reports the normalisation of the advantages. */
  public static void advantages(Metrics metrics, AdvantageNormalizer.Normalized advantages) {
    metrics.put("train/advantages_mean_raw", advantages.rawMean());
    metrics.put("train/advantages_std_raw", advantages.rawStd());
    metrics.put("train/advantages_min_raw", advantages.rawMin());
    metrics.put("train/advantages_max_raw", advantages.rawMax());
    metrics.put("train/advantages_norm_max_abs", advantages.normalizedMaxAbs());
    metrics.put("train/advantages_norm_mean", advantages.normalizedMean());
    metrics.put("train/advantages_norm_std", advantages.normalizedStd());
    for (String name : advantages.warnings()) {
      metrics.put(
          name, name.equals(AdvantageNormalizer.EXTREME) ? advantages.normalizedMaxAbs() : 1);
    }
    if (advantages.normalizedMaxAbs() > LARGE_ADVANTAGE) {
      metrics.put("warn/advantages_norm_large", advantages.normalizedMaxAbs());
    }
    if (advantages.rawStd() < AdvantageNormalizer.MINIMUM_DEVIATION) {
      metrics.put("info/advantages_std_below_epsilon", 1);
      metrics.put("info/advantages_std_original", advantages.rawStd());
      metrics.put("info/advantages_epsilon_used", AdvantageNormalizer.MINIMUM_DEVIATION);
    }
  }

  /** Reports the recurrent states, one layer per element. */
  public static void memory(Metrics metrics, List<HiddenStateStatistics> layers) {
    for (int layer = 0; layer < layers.size(); layer++) {
      metrics.put("lstm/h_mean_layer" + layer, layers.get(layer).mean());
      metrics.put("lstm/h_std_layer" + layer, layers.get(layer).std());
      metrics.put("lstm/h_norm_layer" + layer, layers.get(layer).norm());
      metrics.put("lstm/h_saturated_layer" + layer, layers.get(layer).saturated());
      metrics.put("lstm/c_max_abs_layer" + layer, layers.get(layer).cellMaxAbs());
    }
  }

  /** Reports the change of the observation statistics. */
  public static void normalizer(Metrics metrics, ObservationNormalizer.Drift drift) {
    metrics.put("debug/vecnormalize_mean_drift", drift.meanDrift());
    metrics.put("debug/vecnormalize_std_drift", drift.stdDrift());
  }

  /** Reports progress and elapsed time. */
  public static void time(Metrics metrics, long iterations, long steps, double seconds) {
    metrics.put("time/iterations", iterations);
    metrics.put("time/total_timesteps", steps);
    metrics.put("time/time_elapsed", seconds);
  }
}
