package io.quantail.app;

import java.util.ArrayList;
import java.util.List;

/** Small configurations that together use most settings. */
public enum MutantSubject {
  /**
   * Clipped twin quantile critics on a shared LSTM, a CVaR constraint, continuous actions, Adam.
   */
  QUANTILE(
      "environment.name=PendulumNoVelocity-v1",
      "network.sharedMemory=true",
      "critic.clip.mode=mean-only",
      "critic.clip.varianceFactor=1.2",
      "critic.huberKappa=0.5",
      "critic.quantiles=8",
      "risk.mode=constraint",
      "risk.measure=returns",
      "risk.limit=-5",
      "risk.alpha=0.3",
      "rollout.lanes=2",
      "ppo.microbatches=2",
      "ppo.entropy.coefficient=0.01",
      "ppo.entropy.minimum=0.005",
      "ppo.entropy.finalCoefficient=0.001",
      "ppo.entropy.decayUpdates=20",
      "ppo.kl.penalty=0.1",
      "ppo.cloning.coefficient=0.1",
      "ppo.cloning.decaySteps=10000",
      "ppo.clipRangeWarmup=0.5",
      "ppo.clipRangeWarmupUpdates=10",
      "optimizer.schedule=linear",
      "optimizer.minLearningRate=0.0001",
      "training.threads=2"),
  /** A shared LSTM below a single layer, a CVaR penalty, SGD, scheduled coefficients. */
  FREE(
      "environment.name=PendulumNoVelocity-v1",
      "network.sharedMemory=true",
      "network.headLayers=1",
      "network.activation=tanh",
      "critic.huberKappa=0.5",
      "critic.quantiles=5",
      "critic.targetLambda=0.5",
      "critic.twin=false",
      "risk.mode=penalty",
      "risk.measure=returns",
      "risk.limit=-2",
      "risk.penalty.weight={from: 0.5, to: 0.1, shape: linear}",
      "critic.coefficient={from: 0.5, to: 0.1, shape: cosine}",
      "ppo.clipRange={from: 0.2, to: 0, shape: linear}",
      "ppo.ratioBound=smooth",
      "optimizer.name=sgd",
      "optimizer.momentum=0.5",
      "training.steps=1000"),
  /** Categorical twins, a CVaR limit in mode policy, discrete actions, UPGD, variance scaling. */
  CATEGORICAL(
      "environment.name=CartPoleNoVelocity-v1",
      "network.layers=2",
      "critic.type=categorical",
      "critic.atoms=7",
      "critic.clip.mode=mean-only",
      "risk.mode=policy",
      "risk.measure=returns", // all rewards are equal and have no tail
      "risk.limit=0.5",
      "optimizer.name=adaptive-upgd",
      "optimizer.schedule=cosine",
      "optimizer.minLearningRate=0.0001",
      "optimizer.vgs.enabled=true"),
  /** Training on perturbed observations, another activation, plain UPGD. */
  ROBUST(
      "environment.name=CartPole-v1",
      "network.activation=gelu",
      "robust.mode=state-adversarial",
      "robust.epsilon=0.2",
      "robust.attackedShare=0.5",
      "optimizer.name=upgd",
      "optimizer.sigma=0.1",
      "optimizer.schedule=one-cycle"),
  /** State-dependent exploration without memory, whose deviations lie on both sides of a knee. */
  EXPLORING(
      "environment.name=Pendulum-v1",
      "network.memory=none",
      "network.exploration=gsde",
      "network.gsdeLogSigma=-1.5",
      "critic.quantiles=5",
      "ppo.entropy.coefficient=0.01",
      "ppo.kl.penalty=0.1"),
  /** A choice, some of which are masked, together with a number; perturbed observations. */
  MIXED(
      "environment.name=RepeatMixed-v0",
      "network.sharedMemory=true",
      "critic.quantiles=5",
      "rollout.lanes=2",
      "robust.mode=state-adversarial",
      "robust.epsilon=0.2",
      "robust.attackedShare=0.5",
      "ppo.entropy.coefficient=0.01",
      "ppo.kl.penalty=0.1"),
  /** The embedded bars, with actions in risk units. */
  MARKET(
      "environment.name=Market-v0",
      "market.action.unit=risk",
      "risk.limit=-0.001",
      "environment.normalizeObservations=false",
      "market.episode.bars=64");

  private final List<String> settings = new ArrayList<>();

  MutantSubject(String... settings) {
    this.settings.addAll(
        List.of(
            "environment.count=4",
            "network.hidden=8",
            "ppo.epochs=2",
            "ppo.sequenceLength=8",
            "training.threads=1"));
    this.settings.addAll(List.of(settings));
  }

  public List<String> settings() {
    return settings;
  }
}
