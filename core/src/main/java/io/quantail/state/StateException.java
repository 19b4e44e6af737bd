package io.quantail.state;

/**
 * A saved state, or its file, that does not match the expectation of its reader; the message names
 * the entry, its content and the expected content.
 */
public final class StateException extends RuntimeException {
  /** Creates an exception with a message for users. */
  public StateException(String message) {
    super(message);
  }

  /** Creates an exception with a message for users and the failure behind it. */
  public StateException(String message, Throwable cause) {
    super(message, cause);
  }
}
