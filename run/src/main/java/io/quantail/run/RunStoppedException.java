package io.quantail.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a training ends early. The message names the cause, the last good snapshot, and what
 * to do.
 */
public final class RunStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Ends a training.
   *
   * @param message the cause, the last good snapshot, and what to do
   * @param cause the failure; null if there is none
   */
  public RunStoppedException(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Describes a failure.
   *
   * @param failure any exception
   * @return its message; for failed reads and writes with the message of the cause
   */
  public static @Nullable String describe(Exception failure) {
    return failure instanceof UncheckedIOException wrapped
        ? failure.getMessage() + ": " + text(Objects.requireNonNull(wrapped.getCause()))
        : failure.getMessage();
  }

  /** File system exceptions often contain only a path, so the name of their class is added. */
  private static @Nullable String text(IOException cause) {
    return cause.getClass() == IOException.class ? cause.getMessage() : cause.toString();
  }
}
