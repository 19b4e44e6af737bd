package io.quantail.checkpoint;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/**
 * Reads a file once from start to end and hashes what it hands out, so that the bytes that were
 * checked are the bytes that were used.
 */
final class FileSource implements Closeable {
  /** Large heap buffers would make the channel allocate direct memory of their size. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final FileChannel channel;
  private final MessageDigest digest = FileDigest.newSha256();
  private final long size;

  FileSource(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.READ);
    size = channel.size();
  }

  long size() {
    return size;
  }

  /** The next bytes; the caller has checked that they are within {@link #size()}. */
  byte[] read(int count) throws IOException {
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

  /** The hash of everything read so far; ends the hashing. */
  FileDigest digest() {
    return new FileDigest(size, FileDigest.hex(digest));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
