package io.quantail.app;

/** The user asked for something that cannot be done; the message says what to do instead. */
final class UsageException extends RuntimeException {
  UsageException(String message) {
    super(message);
  }
}
