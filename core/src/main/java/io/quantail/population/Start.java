package io.quantail.population;

/** The hyper-parameters that members begin with. */
public enum Start {
  /** All as configured. */
  CONFIGURED,
  /** Member 0 as configured, the others drawn from their ranges. */
  SAMPLED
}
