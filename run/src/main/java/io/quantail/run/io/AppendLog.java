package io.quantail.run.io;

import io.quantail.io.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file to which lines are appended. It knows size and hash of everything in it, so that a
 * snapshot can record them after {@link #force}.
 */
public final class AppendLog implements AutoCloseable {
  private final DurableFiles files;
  private final Path file;
  private final FileChannel channel;
  private final Sha256 digest;
  private long size;
  private boolean named; // whether the file's name is durable

  /** Opens a file to append; creates it if it is missing. */
  public AppendLog(DurableFiles files, Path file) {
    this.files = files;
    this.file = file;
    try {
      channel = files.append(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot open " + file, failure);
    }
    try {
      size = channel.size();
      digest = FileDigest.hash(channel, size);
    } catch (IOException failure) {
      close();
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** Appends lines in one write; readers see them when this returns. */
  public void append(String lines) {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    try {
      files.write(channel, ByteBuffer.wrap(bytes));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot append to " + file, failure);
    }
    digest.update(bytes);
    size += bytes.length;
  }

  /** Makes everything durable and returns its size and hash. */
  public FileDigest force() {
    try {
      files.force(channel);
      if (!named) {
        files.forceDirectory(Objects.requireNonNull(file.toAbsolutePath().getParent()));
        named = true;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
    return new FileDigest(size, digest.copy().hex());
  }

  /** Number of bytes in the file. */
  public long size() {
    return size;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot close " + file, failure);
    }
  }
}
