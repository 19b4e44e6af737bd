package io.quantail.checkpoint;

import java.nio.file.Path;

/** Says that a snapshot or one of its files cannot be written or trusted: which one, and why. */
public final class SnapshotException extends RuntimeException {
  public SnapshotException(Path file, String reason) {
    super(file + ": " + reason);
  }

  public SnapshotException(Path file, String reason, Throwable cause) {
    super(file + ": " + reason + " (" + describe(cause) + ")", cause);
  }

  /** File system exceptions often carry nothing but a path, so the kind is part of the message. */
  private static String describe(Throwable cause) {
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }
}
