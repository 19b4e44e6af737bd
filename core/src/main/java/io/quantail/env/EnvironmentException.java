package io.quantail.env;

/** An environment broke its contract or threw; the message says which, where, and what to do. */
public final class EnvironmentException extends RuntimeException {
  public EnvironmentException(String message) {
    super(message);
  }

  public EnvironmentException(String message, Throwable cause) {
    super(message, cause);
  }
}
