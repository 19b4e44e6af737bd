package io.quantail.rollout;

import io.quantail.nn.RecurrentState;

/** A perturbation of observations between the environments and an agent. */
@FunctionalInterface
public interface Disturbance {
  /** No perturbation. */
  Disturbance NONE = (observations, state) -> observations;

  /**
   * Perturbs observations.
   *
   * @param observations input of the network, one row per environment
   * @param state recurrent state before the observations
   */
  float[][] apply(float[][] observations, RecurrentState state);
}
