package io.quantail.config;

/** How the log of the probability ratio is kept within 20 before the exponential. */
public enum RatioBound {
  /** Cut off; a sample beyond the bound has no gradient. */
  HARD,
  /** {@code 20 tanh(l / 20)}: nearly the identity near 0, and a gradient everywhere. */
  SMOOTH
}
