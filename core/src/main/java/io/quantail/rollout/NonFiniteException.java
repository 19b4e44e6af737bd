package io.quantail.rollout;

/** A NaN or infinity where only finite numbers make sense; the message says where. */
public final class NonFiniteException extends RuntimeException {
  public NonFiniteException(String message) {
    super(message);
  }
}
