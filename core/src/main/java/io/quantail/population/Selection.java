package io.quantail.population;

/** Selection of members that copy others; setting {@code population.selection}. */
public enum Selection {
  /** The worst fraction of members copies members of the best fraction. */
  TRUNCATION,
  /** Every member is compared with a random other one and copies it if that one is better. */
  BINARY_TOURNAMENT
}
