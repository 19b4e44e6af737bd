package io.quantail.study.task;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Creates a separate directory {@code name/attempt-k} for each attempt of a task. The numbers of
 * existing directories, which other processes may have created, are skipped.
 */
public final class AttemptDirectory {
  private AttemptDirectory() {}

  /** Creates the next directory. Several processes may call this at once. */
  public static Path create(Path directory, String task) throws IOException {
    Path parent = Files.createDirectories(directory.resolve(task));
    for (int number = 1; ; number++) {
      Path attempt = parent.resolve("attempt-" + number);
      try {
        return Files.createDirectory(attempt);
      } catch (FileAlreadyExistsException taken) {
        // the next number
      }
    }
  }
}
