package io.quantail.app;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command makes and that must not overwrite another. */
final class NewFile {
  private NewFile() {}

  /** Refuses a file that exists, before any work is done. */
  static void require(Path file) {
    if (Files.exists(file)) {
      throw new UsageException(file + " exists; choose another name, or delete it first");
    }
  }
}
