package io.quantail.run.evaluation;

import io.quantail.critic.ReturnScale;
import io.quantail.env.EnvironmentFactory;
import io.quantail.rollout.Agent;
import java.nio.file.Path;

/** The one way in which the agents of a run are scored. */
public interface EvaluationProtocol {

  /** Environments that agents are evaluated in. */
  EnvironmentFactory environments();

  /**
   * Writes what later commands need besides settings and snapshots. Called once, when a run starts.
   */
  void prepare(Path directory);

  /**
   * Evaluates an agent.
   *
   * @param scale converts predictions of the agent's critics to returns
   */
  EvaluationResult evaluate(Agent agent, ReturnScale scale);
}
