package io.quantail.task;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives each attempt of a task a directory of its own, {@code name/attempt-k}. One that another
 * process made, now or earlier, is not used again: its number is skipped.
 */
public final class AttemptDirectory {
  private AttemptDirectory() {}

  /** Makes the next one; several processes may ask at once. */
  public static Path create(Path directory, String task) throws IOException {
    Path parent = Files.createDirectories(directory.resolve(task));
    for (int number = 1; ; number++) {
      Path place = parent.resolve("attempt-" + number);
      try {
        return Files.createDirectory(place);
      } catch (FileAlreadyExistsException taken) {
        // the next number
      }
    }
  }
}
