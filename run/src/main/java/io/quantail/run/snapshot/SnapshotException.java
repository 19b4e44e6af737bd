package io.quantail.run.snapshot;

import io.quantail.state.StateException;
import java.nio.file.Path;

/**
 * A snapshot or one of its files that cannot be written or is damaged; the message names the file
 * and the reason.
 */
public final class SnapshotException extends RuntimeException {
  public SnapshotException(Path file, String reason) {
    super(file + ": " + reason);
  }

  public SnapshotException(Path file, String reason, Throwable cause) {
    super(file + ": " + reason + " (" + describe(cause) + ")", cause);
  }

  /** A state file whose content cannot be used. */
  SnapshotException(Path file, StateException cause) {
    super(file + ": " + cause.getMessage(), cause);
  }

  /** File system exceptions often contain only a path, so the message includes their type. */
  private static String describe(Throwable cause) {
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }
}
