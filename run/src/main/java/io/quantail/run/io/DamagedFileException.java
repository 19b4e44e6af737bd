package io.quantail.run.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A file of a run whose content cannot be used; the message names the file and the reason. */
public final class DamagedFileException extends UncheckedIOException {
  private static final long serialVersionUID = 1L;

  /**
   * A file that cannot be used.
   *
   * @param file the file
   * @param reason what is wrong with it, and what to do
   */
  public DamagedFileException(Path file, String reason) {
    super(file.toString(), new IOException(reason));
  }
}
