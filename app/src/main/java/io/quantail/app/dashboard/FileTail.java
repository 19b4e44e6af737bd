package io.quantail.app.dashboard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Follows a file of a run while it grows, and notices when it has been truncated or replaced, as
 * {@code resume} does.
 */
final class FileTail {
  private static final int MARK_BYTES = 256; // compared before the offset, to notice a replacement

  private final RunFiles folder;
  private final String file;
  private final Reader reader;
  private final Runnable restart;
  private long offset;
  private byte[] mark = {};
  private int generation;

  /** Reads complete lines from an offset on. */
  @FunctionalInterface
  interface Reader {
    /** Returns the offset after the last complete line. */
    long read(FileChannel channel, long offset) throws IOException;
  }

  /**
   * @param reader called with what was appended
   * @param restart called before the file is read from its start again
   */
  FileTail(RunFiles folder, String file, Reader reader, Runnable restart) {
    this.folder = folder;
    this.file = file;
    this.reader = reader;
    this.restart = restart;
  }

  /** Reads what was appended since the last call. */
  void poll() throws IOException {
    if (folder.stamp(file).isEmpty()) {
      if (offset > 0) {
        startAgain();
      }
      return;
    }
    try (FileChannel channel = folder.open(file)) {
      boolean sameStart = channel.size() >= offset && sameMark(channel);
      if (sameStart && channel.size() == offset) {
        return;
      }
      if (!sameStart) {
        startAgain();
      }
      offset = reader.read(channel, offset);
      int length = (int) Math.min(MARK_BYTES, offset);
      mark = bytes(channel, offset - length, length);
    }
  }

  private void startAgain() {
    offset = 0;
    mark = new byte[0];
    generation++;
    restart.run();
  }

  private boolean sameMark(FileChannel channel) throws IOException {
    return Arrays.equals(mark, bytes(channel, offset - mark.length, mark.length));
  }

  private static byte[] bytes(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // until the buffer is full or the file ends
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** How often the file was read from its start again. */
  int generation() {
    return generation;
  }
}
