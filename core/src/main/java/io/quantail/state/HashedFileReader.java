package io.quantail.state;

import io.quantail.io.Sha256;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a file once from start to end and hashes every byte it returns, so that the bytes that are
 * used are the bytes that were verified.
 */
public final class HashedFileReader implements Closeable {
  /** Reading into a large heap array at once would allocate direct memory of the same size. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final FileChannel channel;
  private final Sha256 digest = new Sha256();
  private final long size;

  /** Opens a file. */
  public HashedFileReader(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.READ);
    size = channel.size();
  }

  /** Returns the size of the file in bytes when it was opened. */
  public long size() {
    return size;
  }

  /**
   * Reads the next bytes.
   *
   * @param count how many; the caller has checked that {@link #size()} allows them
   */
  public byte[] read(int count) throws IOException {
    byte[] bytes = new byte[count];
    int position = 0;
    while (position < count) {
      ByteBuffer chunk = ByteBuffer.wrap(bytes, position, Math.min(CHUNK_BYTES, count - position));
      int received = channel.read(chunk);
      if (received < 0) {
        throw new EOFException("the file ended while it was read; it had " + size + " bytes");
      }
      position += received;
    }
    digest.update(bytes);
    return bytes;
  }

  /** Returns the SHA-256 of everything read so far in hexadecimal digits, and starts a new one. */
  public String sha256() {
    return digest.hex();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
