package io.quantail.run.io;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file operations from which the durable files of a run are written, one method for each that
 * can fail or be the last one before a loss of power. Tests override them to stop at every one.
 */
public class DurableFiles {
  /** Creates a directory that did not exist. */
  public void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory);
  }

  /** Opens a file that did not exist. */
  public FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Opens a file to read it and to write at its end; creates it if it is missing. */
  public FileChannel append(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel.position(channel.size());
    return channel;
  }

  /** Writes all remaining bytes. */
  public void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Replaces a small file in one step: after a loss of power it has the old content or the new one.
   */
  public void replace(Path file, byte[] content) throws IOException {
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    if (Files.exists(part)) {
      delete(part);
    }
    try (FileChannel channel = create(part)) {
      write(channel, ByteBuffer.wrap(content));
      force(channel);
    }
    move(part, file);
  }

  /** Removes what follows a position. */
  public void truncate(FileChannel channel, long size) throws IOException {
    channel.truncate(size);
  }

  /** Makes the content of a file durable. */
  public void force(FileChannel channel) throws IOException {
    channel.force(true);
  }

  /** Makes the content of a closed file durable. */
  public void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      force(channel);
    }
  }

  /** Makes the names in a directory durable. */
  public void forceDirectory(Path directory) throws IOException {
    if (File.separatorChar == '\\') {
      return; // Windows cannot open directories; its file system journals renames.
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Renames in one step; a file that has the new name is replaced. */
  public void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes a file or an empty directory. */
  public void delete(Path path) throws IOException {
    Files.delete(path);
  }
}
