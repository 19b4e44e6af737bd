package io.quantail.market.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a text file of bars in UTF-8, possibly compressed by gzip. A file without line
 * ends, or of another kind, must not fill the memory, so a line has a longest length.
 */
public final class LineReader implements Closeable {
  private static final int LONGEST = 1 << 20;

  /** What is said of a file that has a longer line. */
  static final String TOO_LONG =
      "has a line of more than 1,048,576 characters, so it is not a table of bars";

  private final Path file;
  private final Reader reader;
  private final StringBuilder line = new StringBuilder();
  private final char[] buffer = new char[1 << 16];
  private int place; // of the next character in the buffer
  private int filled;
  private boolean blank; // whether the line has white space only

  /**
   * Opens a file.
   *
   * @param file path of the file; its name ends in {@code .gz} if it is compressed
   * @throws IOException if it cannot be opened
   */
  public LineReader(Path file) throws IOException {
    this.file = file;
    InputStream stream = Files.newInputStream(file);
    InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(stream) : stream;
    this.reader = new InputStreamReader(plain, StandardCharsets.UTF_8);
  }

  /**
   * Reads a line.
   *
   * @return the line without its end; null after the last one
   * @throws DataException if the line is longer than a line of bars can be
   * @throws IOException if the file cannot be read
   */
  public @Nullable String readLine() throws IOException {
    line.setLength(0);
    return advance(true) ? line.toString() : null;
  }

  /**
   * Passes over a line without its text, as fast as its file can be decoded.
   *
   * @return false after the last line
   * @throws DataException as {@link #readLine}
   * @throws IOException if the file cannot be read
   */
  boolean skipLine() throws IOException {
    return advance(false);
  }

  /** Whether the line that was read or skipped last has white space only. */
  boolean isBlank() {
    return blank;
  }

  private boolean advance(boolean kept) throws IOException {
    blank = true;
    int length = 0;
    while (place < filled || fill()) {
      int from = place;
      while (place < filled && buffer[place] != '\n' && buffer[place] != '\r') {
        blank = blank && Character.isWhitespace(buffer[place]);
        place++;
      }
      length += place - from;
      if (length > LONGEST) {
        throw new DataException(file + " " + TOO_LONG);
      }
      if (kept) {
        line.append(buffer, from, place - from);
      }
      if (place < filled) {
        endLine();
        return true;
      }
    }
    return length > 0;
  }

  private void endLine() throws IOException {
    boolean carriageReturn = buffer[place++] == '\r';
    if (carriageReturn && (place < filled || fill()) && buffer[place] == '\n') {
      place++;
    }
  }

  private boolean fill() throws IOException {
    place = 0;
    filled = Math.max(0, reader.read(buffer, 0, buffer.length));
    return filled > 0;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
