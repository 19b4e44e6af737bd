package io.quantail.math;

/** Signals a NaN or infinity where finite numbers are needed; the message names the quantity. */
public final class NonFiniteException extends RuntimeException {
  /**
   * @param message names the quantity and what to do
   */
  public NonFiniteException(String message) {
    super(message);
  }
}
