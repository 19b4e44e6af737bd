package io.quantail.robust;

import io.quantail.nn.RecurrentState;

/** What happens to observations on their way to an agent that plays. */
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
