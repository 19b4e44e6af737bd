package io.quantail.env;

/** A name that no usable environment answers to. */
public final class UnknownEnvironmentException extends RuntimeException {
  public UnknownEnvironmentException(String message) {
    super(message);
  }

  public UnknownEnvironmentException(String message, Throwable cause) {
    super(message, cause);
  }
}
