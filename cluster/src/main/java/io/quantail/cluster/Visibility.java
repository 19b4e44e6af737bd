package io.quantail.cluster;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A file by which an executor knows that it sees the same directory as the driver, and not another
 * one of the same name.
 *
 * @param directory that both must see
 * @param nonce what the file says, known to the driver alone
 */
record Visibility(String directory, String nonce) implements Serializable {
  /** Network file systems show new files late. */
  private static final int PATIENCE_MILLIS = 10_000;

  private static final int PAUSE_MILLIS = 250;

  /** Leaves the file. */
  static Visibility mark(Path directory) {
    Visibility mark = new Visibility(directory.toString(), UUID.randomUUID().toString());
    try {
      Files.createDirectories(directory);
      Files.writeString(mark.file(), mark.nonce());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + mark.file(), failure);
    }
    return mark;
  }

  private Path file() {
    return Path.of(directory, ".shared-" + nonce);
  }

  /** Whether this process sees the file, soon. */
  boolean isSeen() throws IOException {
    for (int waited = 0; waited < PATIENCE_MILLIS; waited += PAUSE_MILLIS) {
      try {
        return Files.readString(file()).equals(nonce);
      } catch (NoSuchFileException notYet) {
        Interrupts.sleep(PAUSE_MILLIS);
      }
    }
    return false;
  }

  /** Takes the file away; if that fails nothing is lost. */
  void remove() {
    try {
      Files.deleteIfExists(file());
    } catch (IOException left) {
      // goes with the directory
    }
  }
}
