package io.quantail.app;

/** Says why a run ended before its time, what is left of it and how to go on. */
final class RunStoppedException extends RuntimeException {
  RunStoppedException(String message, Throwable cause) {
    super(message, cause);
  }
}
