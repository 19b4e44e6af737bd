package io.quantail.run.io;

import io.quantail.io.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Size and hash of a file, or of the first part of one to which more is appended.
 *
 * @param size in bytes, 0 or more
 * @param sha256 64 lower-case hexadecimal digits
 */
public record FileDigest(long size, String sha256) {
  private static final int CHUNK_BYTES = 1 << 16;

  public FileDigest {
    Objects.requireNonNull(sha256, "sha256");
    if (size < 0) {
      throw new IllegalArgumentException("size must be 0 or more, was " + size);
    }
    if (!sha256.matches(Sha256.HEX_PATTERN)) {
      throw new IllegalArgumentException(
          "sha256 must be 64 lower-case hexadecimal digits, was '" + sha256 + "'");
    }
  }

  /** Returns size and hash of a whole file. */
  public static FileDigest of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      return new FileDigest(size, hash(channel, size).hex());
    }
  }

  /** Tests whether a file begins with the bytes that this was made of. */
  public boolean isPrefixOf(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return channel.size() >= size && hash(channel, size).hex().equals(sha256);
    }
  }

  /** Hashes the first bytes of a file. */
  static Sha256 hash(FileChannel channel, long size) throws IOException {
    Sha256 digest = new Sha256();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long position = 0; position < size; position += chunk.limit()) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, size - position));
      if (channel.read(chunk, position) != chunk.limit()) {
        throw new EOFException("the file became shorter while it was read");
      }
      digest.update(chunk.flip());
    }
    return digest;
  }
}
