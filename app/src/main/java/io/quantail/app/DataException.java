package io.quantail.app;

/** Says that a run and its data do not belong together. */
final class DataException extends RuntimeException {
  DataException(String message) {
    super(message);
  }
}
