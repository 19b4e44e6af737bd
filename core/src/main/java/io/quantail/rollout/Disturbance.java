package io.quantail.rollout;

import io.quantail.nn.RecurrentState;

/** What happens to observations on their way from the environments to an agent. */
@FunctionalInterface
public interface Disturbance {
  /** Nothing. */
  Disturbance NONE = (observations, state) -> observations;

  /**
   * What the agent gets to see.
   *
   * @param observations as the network takes them, one row an environment
   * @param state what the agent remembers
   */
  float[][] apply(float[][] observations, RecurrentState state);
}
