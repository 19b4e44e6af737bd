package io.quantail.app;

import io.quantail.checkpoint.Snapshot;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;

/** Makes the agent of a snapshot. */
final class TrainedAgent {
  private TrainedAgent() {}

  /**
   * @param environments what it is to act in
   */
  static Agent load(RunConfig config, Snapshot snapshot, EnvironmentFactory environments) {
    try (VectorEnvironment sample = new VectorEnvironment(environments, 1, config.seed())) {
      AgentModel model = new AgentModel(config, sample.observationSize(), sample.actionSpace());
      model.load(snapshot.state().child("agent"));
      return model.agent();
    }
  }
}
