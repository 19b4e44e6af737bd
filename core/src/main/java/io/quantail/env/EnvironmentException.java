package io.quantail.env;

/**
 * Thrown when an environment breaks its contract or throws; the message names environment, episode
 * and step, and a remedy.
 */
public final class EnvironmentException extends RuntimeException {
  private final Kind kind;

  public EnvironmentException(String message) {
    this(message, null, Kind.OUTPUT);
  }

  public EnvironmentException(String message, Throwable cause) {
    this(message, cause, Kind.EXCEPTION);
  }

  public EnvironmentException(String message, Throwable cause, Kind kind) {
    super(message, cause);
    this.kind = kind;
  }

  /** How the contract was broken. */
  public Kind kind() {
    return kind;
  }

  /** Kind of a contract violation. */
  public enum Kind {
    /** The environment threw an exception. */
    EXCEPTION,
    /** A call exceeded its deadline. */
    TIMEOUT,
    /** A result was null, not finite or of the wrong size. */
    OUTPUT
  }

  /** Thrown when no usable environment has the given name. */
  public static final class Unknown extends RuntimeException {
    public Unknown(String message) {
      super(message);
    }

    public Unknown(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
