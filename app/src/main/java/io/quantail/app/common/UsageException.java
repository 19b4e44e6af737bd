package io.quantail.app.common;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Signals wrong usage of a command; the message describes what to do instead. */
public final class UsageException extends RuntimeException {
  public UsageException(@Nullable String message) {
    super(message);
  }

  /** Refuses to overwrite a file, before any work is done. */
  public static void requireAbsent(Path file) {
    if (Files.exists(file)) {
      throw new UsageException(file + " exists; choose another name or delete it first");
    }
  }
}
