package io.quantail.app;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The text of a failure, on one line. */
final class Reason {
  private Reason() {}

  /** The reason of a failed write is in the cause; texts of others may have line breaks. */
  static String of(Exception failure) {
    String cause =
        failure instanceof UncheckedIOException wrapped ? ": " + text(wrapped.getCause()) : "";
    return oneLine(failure.getMessage() + cause);
  }

  static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }

  /** File system exceptions often carry nothing but a path, so the kind is part of the text. */
  private static String text(IOException cause) {
    return cause.getClass() == IOException.class ? cause.getMessage() : cause.toString();
  }
}
