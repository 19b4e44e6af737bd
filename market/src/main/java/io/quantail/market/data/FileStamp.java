package io.quantail.market.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * Size and time of the last change of a file, which show whether it changes while it is read.
 *
 * @param size bytes of the file
 * @param modified time of the last change
 */
public record FileStamp(long size, FileTime modified) {
  /** What is said of a file that has changed. */
  public static final String CHANGED =
      "changed while it was read; repeat the command when it is written";

  /**
   * Reads the present state of a file.
   *
   * @param file path of the file
   * @return its size and time of the last change
   * @throws IOException if the file cannot be read
   */
  public static FileStamp of(Path file) throws IOException {
    return new FileStamp(Files.size(file), Files.getLastModifiedTime(file));
  }
}
