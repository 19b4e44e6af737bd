package io.quantail.config;

/** How a continuous action is brought into its bounds; setting {@code network.squash}. */
public enum Squash {
  /** Chosen from the action space of the environment. */
  AUTO,
  /** Into (-1, 1), then to the bounds. */
  TANH,
  /** Into (0, 1), then to the bounds. */
  SIGMOID,
  /** Unbounded Gaussian. */
  NONE
}
