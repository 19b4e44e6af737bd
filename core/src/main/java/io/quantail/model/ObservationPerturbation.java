package io.quantail.model;

import io.quantail.network.RecurrentState;

/** A perturbation of observations between the environments and an agent. */
@FunctionalInterface
public interface ObservationPerturbation {
  /** No perturbation. */
  ObservationPerturbation NONE = (observations, state) -> observations;

  /**
   * Perturbs observations.
   *
   * @param observations input of the network, one row per environment
   * @param state recurrent state before the observations
   */
  float[][] apply(float[][] observations, RecurrentState state);

  /** Gives the perturbations of one rollout, by group of environments. */
  @FunctionalInterface
  public interface Source {
    /** No perturbation in any environment. */
    Source NONE = (first, count) -> ObservationPerturbation.NONE;

    /** The perturbation in environments [first, first + count), which one thread steps together. */
    ObservationPerturbation in(int first, int count);
  }
}
