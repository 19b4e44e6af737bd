package io.quantail.app;

import io.quantail.run.RunStoppedException;

/** The text of a failure, on one line. */
final class Reason {
  private Reason() {}

  /** The message, with the cause of a failed read or write. */
  static String of(Exception failure) {
    return oneLine(RunStoppedException.describe(failure));
  }

  static String oneLine(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }
}
