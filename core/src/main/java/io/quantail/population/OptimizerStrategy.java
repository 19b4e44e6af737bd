package io.quantail.population;

/** What a member that copies another does with its optimiser. */
public enum OptimizerStrategy {
  /** Begins without a memory of earlier gradients. */
  RESET,
  /** Takes over the moments of the one it copies. */
  COPY
}
