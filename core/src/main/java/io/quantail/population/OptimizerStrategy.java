package io.quantail.population;

/** State of the optimiser of a member that copies another. */
public enum OptimizerStrategy {
  /** Starts with empty moments. */
  RESET,
  /** Takes over the moments of the copied member. */
  COPY
}
