package io.quantail.population;

/** Scale on which values of a range are drawn. */
public enum Scale {
  /** Uniform. */
  LINEAR,
  /** Uniform in the logarithm. */
  LOG
}
