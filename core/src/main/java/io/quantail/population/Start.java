package io.quantail.population;

/** Hyper-parameters of the first generation. */
public enum Start {
  /** All members as configured. */
  CONFIGURED,
  /** Member 0 as configured, the others drawn from their ranges. */
  SAMPLED
}
