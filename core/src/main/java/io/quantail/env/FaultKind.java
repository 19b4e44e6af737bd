package io.quantail.env;

/** Kind of a contract violation. */
public enum FaultKind {
  /** The environment threw an exception. */
  EXCEPTION,
  /** A call exceeded its deadline. */
  TIMEOUT,
  /** A result was null, not finite or of the wrong size. */
  OUTPUT
}
