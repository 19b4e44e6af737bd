package io.quantail.env;

import io.quantail.error.QuantailException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an environment breaks its contract or throws; the message names environment, episode
 * and step, and a remedy.
 */
public final class EnvironmentException extends QuantailException {
  private final Kind kind;

  /**
   * A result that violates the contract.
   *
   * @param message environment, episode and step, the violation, and a remedy
   */
  public EnvironmentException(String message) {
    this(message, null, Kind.OUTPUT);
  }

  /**
   * An exception that an environment threw.
   *
   * @param message environment, episode and step, and a remedy
   * @param cause the exception
   */
  public EnvironmentException(String message, @Nullable Throwable cause) {
    this(message, cause, Kind.EXCEPTION);
  }

  /**
   * A contract violation of any kind.
   *
   * @param message environment, episode and step, the violation, and a remedy
   * @param cause the exception behind it; null if there is none
   * @param kind how the contract was broken
   */
  public EnvironmentException(String message, @Nullable Throwable cause, Kind kind) {
    super(message, cause);
    this.kind = kind;
  }

  /** {@return how the contract was broken} */
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
  public static final class Unknown extends QuantailException {
    /**
     * An unknown name.
     *
     * @param message the name, and the names that exist
     */
    public Unknown(String message) {
      super(message, null);
    }

    /**
     * A class that cannot be used.
     *
     * @param message the name of the class and what it lacks
     * @param cause why it cannot be used
     */
    public Unknown(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
