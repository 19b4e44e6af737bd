package io.quantail.run.snapshot;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file operations from which a snapshot is written, one method for each that can fail or be the
 * last one before a loss of power. Tests override them to stop at every one.
 */
class DurableFiles {
  void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory);
  }

  /** Opens a file that did not exist. */
  FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Writes all remaining bytes. */
  void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Makes the content of a file durable. */
  void force(FileChannel channel) throws IOException {
    channel.force(true);
  }

  /** Makes the names in a directory durable. */
  void forceDirectory(Path directory) throws IOException {
    if (File.separatorChar == '\\') {
      return; // Windows cannot open directories; its file system journals renames.
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Renames in one step; a file that has the new name is replaced. */
  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  void delete(Path path) throws IOException {
    Files.delete(path);
  }
}
