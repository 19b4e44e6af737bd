package io.quantail.population;

/** How a range is drawn from. */
public enum Scale {
  /** Evenly. */
  LINEAR,
  /** Evenly in the logarithm. */
  LOG
}
