package io.quantail.train;

import io.quantail.config.RunConfig;
import io.quantail.env.Step;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.env.vector.EpisodeSummary;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.metrics.Metrics;
import io.quantail.model.AgentModel;
import io.quantail.model.ObservationNormalizer;
import io.quantail.ppo.PpoUpdate;
import io.quantail.ppo.UpdateTelemetry;
import io.quantail.risk.CvarDecision;
import io.quantail.robust.AdversarialRollouts;
import io.quantail.rollout.Gae;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.RolloutCollector;
import io.quantail.rollout.RolloutPredictions;
import io.quantail.rollout.TrainingTargets;
import io.quantail.telemetry.ActionTelemetry;
import io.quantail.telemetry.ClipTelemetry;
import io.quantail.telemetry.EpisodeTelemetry;
import io.quantail.telemetry.FaultTelemetry;
import io.quantail.telemetry.HiddenStateStatistics;
import io.quantail.telemetry.PolicyTelemetry;
import io.quantail.telemetry.RiskTelemetry;
import io.quantail.telemetry.RolloutTelemetry;
import io.quantail.telemetry.ValueTelemetry;
import io.quantail.telemetry.ValueTelemetry.ScaleChange;
import io.quantail.value.Critic;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Turns what an iteration of training computed into metrics. Reads only. */
final class TrainingTelemetry {
  private final RunConfig config;
  private final VectorEnvironment environments;
  private final AgentModel model;
  private final AdversarialRollouts attackedRollouts;
  private final RolloutCollector collector;

  TrainingTelemetry(
      RunConfig config,
      VectorEnvironment environments,
      AgentModel model,
      AdversarialRollouts attackedRollouts,
      RolloutCollector collector) {
    this.config = config;
    this.environments = environments;
    this.model = model;
    this.attackedRollouts = attackedRollouts;
    this.collector = collector;
  }

  /** A rollout, its advantages and value targets, and what happened while it was collected. */
  record Collection(
      Rollout rollout,
      Gae.Result gae,
      TrainingTargets estimates,
      Optional<ObservationNormalizer.Drift> drift,
      List<EpisodeSummary> episodes,
      List<EnvironmentFault> faults) {}

  /** The results of one iteration. */
  record Iteration(
      Rollout rollout,
      TrainingTargets estimates,
      CvarDecision risk,
      PpoUpdate.Result update,
      RolloutPredictions predictions,
      OptionalDouble explained,
      ScaleChange scaleChange) {}

  /** Reports the rollout, its advantages and its value targets. */
  void rollout(Metrics metrics, Collection collected) {
    Rollout rollout = collected.rollout();
    List<EpisodeSummary> episodes = collected.episodes();
    RolloutTelemetry.rollout(metrics, rollout, episodes);
    EpisodeTelemetry.wins(metrics, episodes);
    EpisodeTelemetry.rewards(metrics, rollout);
    RolloutTelemetry.attacked(metrics, attackedRollouts, episodes);
    ActionTelemetry.report(
        metrics,
        environments.actionSpace(),
        model.network().environmentActions(rollout.rawActions()),
        rollout.masks());
    RolloutTelemetry.rewardCosts(metrics, rollout.info(Step.REWARD_COSTS));
    FaultTelemetry.report(metrics, config.environment().faults(), environments, collected.faults());
    RolloutTelemetry.estimates(metrics, config.rollout(), collected.estimates());
    clips(metrics, collected);
    RolloutTelemetry.memory(
        metrics, HiddenStateStatistics.of(collector.states(), rollout.shape().recurrentLayers()));
    collected.drift().ifPresent(change -> RolloutTelemetry.normalizer(metrics, change));
  }

  private void clips(Metrics metrics, Collection collected) {
    if (config.environment().normalizeObservations()) {
      ClipTelemetry.observations(
          metrics,
          collected.rollout().observations(),
          environments.observationSpace(),
          config.environment().observationClip());
    }
    ClipTelemetry.advantages(metrics, collected.gae().advantages());
    ClipTelemetry.cloning(metrics, collected.estimates().advantages(), config.ppo().cloning());
  }

  /** Reports the update with this number and the predictions after it. */
  void update(Metrics metrics, Iteration done, long number) {
    Critic critic = model.agent().critic();
    double[] targets = done.estimates().targets();
    UpdateTelemetry.report(metrics, config, done.update());
    RiskTelemetry.report(metrics, done.risk(), done.predictions().meanCvar());
    done.scaleChange().report(metrics);
    ValueTelemetry.errors(metrics, targets, done.predictions());
    ValueTelemetry.targets(metrics, done.estimates(), critic);
    ValueTelemetry.shapes(metrics, done.predictions(), critic);
    ValueTelemetry.twins(metrics, targets, done.predictions(), number);
    ValueTelemetry.explained(
        metrics, done.rollout(), done.estimates(), done.predictions(), done.explained());
    PolicyTelemetry.report(metrics, done.predictions());
  }
}
