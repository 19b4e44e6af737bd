package io.quantail.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The steps from which a snapshot is written, one method for each that can fail or be the last one
 * before the power goes; tests stop at every one of them.
 */
interface Disk {
  void createDirectory(Path directory) throws IOException;

  /** Opens a file that did not exist. */
  FileChannel create(Path file) throws IOException;

  void write(FileChannel channel, ByteBuffer bytes) throws IOException;

  void force(FileChannel channel) throws IOException;

  /** Makes the names in a directory durable. */
  void forceDirectory(Path directory) throws IOException;

  /** Renames in one step; a file that has the new name is replaced. */
  void move(Path from, Path to) throws IOException;

  void delete(Path path) throws IOException;
}
