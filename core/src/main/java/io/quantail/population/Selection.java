package io.quantail.population;

/** Who copies from whom; setting {@code population.selection}. */
public enum Selection {
  /** The worst share of members copies members of the best share. */
  TRUNCATION,
  /** Every member is compared with another one, drawn at random, and copies it if it is better. */
  BINARY_TOURNAMENT
}
