package io.quantail.env;

/**
 * Thrown when an environment breaks its contract or throws; the message names environment, episode
 * and step, and a remedy.
 */
public final class EnvironmentException extends RuntimeException {
  private final FaultKind kind;

  public EnvironmentException(String message) {
    this(message, null, FaultKind.OUTPUT);
  }

  public EnvironmentException(String message, Throwable cause) {
    this(message, cause, FaultKind.EXCEPTION);
  }

  public EnvironmentException(String message, Throwable cause, FaultKind kind) {
    super(message, cause);
    this.kind = kind;
  }

  /** How the contract was broken. */
  public FaultKind kind() {
    return kind;
  }
}
