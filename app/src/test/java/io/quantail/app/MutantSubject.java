package io.quantail.app;

import java.util.ArrayList;
import java.util.List;

/** Small configurations, which together use most of what can be configured. */
enum MutantSubject {
  /** Quantile twins that are clipped, a constraint on the tail, continuous actions, Adam. */
  QUANTILE(
      "environment.name=PendulumNoVelocity-v1",
      "critic.clip.mode=mean-only",
      "critic.huberKappa=0.5",
      "critic.quantiles=5",
      "risk.mode=constraint",
      "risk.measure=returns",
      "risk.limit=-5",
      "risk.alpha=0.3",
      "ppo.entropy.coefficient=0.01"),
  /** Critics that are free and no limit: the loss is the fused one. */
  FUSED(
      "environment.name=PendulumNoVelocity-v1",
      "critic.huberKappa=0.5",
      "critic.quantiles=5",
      "ppo.clipRange=0.01",
      "ppo.entropy.coefficient=0.01"),
  /** Categorical twins, a limit that the policy keeps, discrete actions, UPGD, variance scaling. */
  CATEGORICAL(
      "environment.name=CartPoleNoVelocity-v1",
      "critic.type=categorical",
      "critic.atoms=7",
      "critic.clip.mode=mean-only",
      "risk.mode=policy",
      "risk.measure=returns", // rewards are all alike and have no tail
      "risk.limit=0.5",
      "optimizer.name=adaptive-upgd",
      "optimizer.vgs.enabled=true"),
  /** The embedded bars. */
  MARKET(
      "environment.name=Market-v0",
      "environment.normalizeObservations=false",
      "market.episode.bars=64");

  private final List<String> settings = new ArrayList<>();

  MutantSubject(String... settings) {
    this.settings.addAll(List.of("environment.count=4", "network.hidden=4", "ppo.epochs=2"));
    this.settings.addAll(List.of(settings));
  }

  List<String> settings() {
    return settings;
  }
}
