package io.quantail.env;

/** Thrown when no usable environment has the given name. */
public final class UnknownEnvironmentException extends RuntimeException {
  public UnknownEnvironmentException(String message) {
    super(message);
  }

  public UnknownEnvironmentException(String message, Throwable cause) {
    super(message, cause);
  }
}
