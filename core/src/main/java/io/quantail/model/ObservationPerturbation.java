package io.quantail.model;

import io.quantail.network.SequenceInput;

/** A perturbation of observations between the environments and an agent. */
@FunctionalInterface
public interface ObservationPerturbation {
  /** No perturbation. */
  ObservationPerturbation NONE = SequenceInput::observations;

  /**
   * Perturbs observations.
   *
   * @param seen input of the network: observations with masks, one row per environment, and the
   *     recurrent state before them
   * @return the perturbed observations
   */
  float[][] apply(SequenceInput seen);

  /** Gives the perturbations of one rollout, by group of environments. */
  @FunctionalInterface
  public interface Source {
    /** No perturbation in any environment. */
    Source NONE = (first, count) -> ObservationPerturbation.NONE;

    /** The perturbation in environments [first, first + count), which one thread steps together. */
    ObservationPerturbation in(int first, int count);
  }
}
