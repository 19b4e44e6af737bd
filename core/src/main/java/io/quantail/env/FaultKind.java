package io.quantail.env;

/** How an environment broke its contract. */
public enum FaultKind {
  /** It threw. */
  EXCEPTION,
  /** It did not answer before the deadline. */
  TIMEOUT,
  /** It answered with numbers that are not finite, with too many or too few, or with null. */
  OUTPUT
}
