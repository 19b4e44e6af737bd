package io.quantail.run;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A training ended before its time. The message names the cause, what is left, and what to do. */
public final class RunStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RunStoppedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The message of a failure; for failed reads and writes with the message of the cause. */
  public static String describe(Exception failure) {
    return failure instanceof UncheckedIOException wrapped
        ? failure.getMessage() + ": " + text(wrapped.getCause())
        : failure.getMessage();
  }

  /** File system exceptions often contain only a path, so the name of their class is added. */
  private static String text(IOException cause) {
    return cause.getClass() == IOException.class ? cause.getMessage() : cause.toString();
  }
}
