package io.quantail.app.common;

import io.quantail.run.RunStoppedException;
import java.util.Objects;

/** The text of a failure, on one line. */
public final class ErrorText {
  private ErrorText() {}

  /** The message, with the cause of a failed read or write. */
  public static String of(Exception failure) {
    return oneLine(Objects.requireNonNull(RunStoppedException.describe(failure)));
  }

  /** An argument as a shell reads it back. */
  public static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_./:=,@%+-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }

  public static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }
}
