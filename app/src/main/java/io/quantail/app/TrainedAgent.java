package io.quantail.app;

import io.quantail.checkpoint.Loaded;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.VectorEnvironment;
import io.quantail.rollout.Agent;

/** Makes the agent of a snapshot. */
final class TrainedAgent {
  private TrainedAgent() {}

  /**
   * @param environments what it is to act in
   */
  static Agent load(RunConfig config, Loaded snapshot, EnvironmentFactory environments) {
    try (VectorEnvironment sample = new VectorEnvironment(environments, 1, config.seed())) {
      Agent agent = new Agent(config, sample.observationSize(), sample.actionSpace());
      agent.load(snapshot.state().child("agent"));
      return agent;
    }
  }
}
