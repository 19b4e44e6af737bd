package io.quantail.env;

/** An environment broke its contract or threw; the message says which, where, and what to do. */
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
