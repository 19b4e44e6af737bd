package io.quantail.state;

/**
 * Says that a component's saved state is not what the component expects: which entry, what was
 * found, what was expected.
 */
public final class StateException extends RuntimeException {
  public StateException(String message) {
    super(message);
  }

  public StateException(String message, Throwable cause) {
    super(message, cause);
  }
}
