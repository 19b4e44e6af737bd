package io.quantail.market.data;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
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
  private final BufferedReader reader;
  private final StringBuilder line = new StringBuilder();

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
    this.reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8));
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
    int next = reader.read();
    if (next < 0) {
      return null;
    }
    for (; next >= 0 && next != '\n' && next != '\r'; next = reader.read()) {
      if (line.length() == LONGEST) {
        throw new DataException(file + " " + TOO_LONG);
      }
      line.append((char) next);
    }
    if (next == '\r') {
      reader.mark(1);
      if (reader.read() != '\n') {
        reader.reset();
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
