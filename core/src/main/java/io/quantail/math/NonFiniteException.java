package io.quantail.math;

/** Signals a NaN or infinity in a place that needs finite numbers; the message names the place. */
public final class NonFiniteException extends RuntimeException {
  /**
   * @param message names the place and what to do
   */
  public NonFiniteException(String message) {
    super(message);
  }
}
