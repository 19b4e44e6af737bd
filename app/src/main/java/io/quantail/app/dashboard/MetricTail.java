package io.quantail.app.dashboard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Follows the metric log of a run while it grows.
 *
 * <p>Only whole lines count; a line that makes no sense is left out and counted. A log that has
 * become shorter or other than it was (a resumed run cuts its log back to a snapshot) is read again
 * from the start. {@code MetricTailTest} pins this.
 */
final class MetricTail {
  private static final int CHUNK = 1 << 20;
  private static final int LONGEST_LINE = 4_096;
  private static final int MARK = 256; // bytes before the place reached, to see whether they change
  private static final String HEADER = "update,steps,metric,value";

  private final RunFolder folder;
  private final MetricTable table = new MetricTable();
  private long offset;
  private byte[] mark = {};
  private long lines;
  private long broken;
  private long firstBroken;
  private int generation;
  private int nextPlace; // where the column of the next line is expected
  private final Decimal decimal = new Decimal();
  private byte[] beginning = {}; // "update,steps," of the row that is being read

  MetricTail(RunFolder folder) {
    this.folder = folder;
  }

  /** Takes in what has been written since the last call. */
  void poll() throws IOException {
    if (folder.stamp(RunFolder.METRICS).isEmpty()) {
      if (offset > 0) {
        restart();
      }
      return;
    }
    try (FileChannel channel = folder.open(RunFolder.METRICS)) {
      if (channel.size() == offset && sameMark(channel)) {
        return;
      }
      if (channel.size() < offset || !sameMark(channel)) {
        restart();
      }
      readOn(channel);
    }
  }

  private void restart() {
    table.clear();
    offset = 0;
    mark = new byte[0];
    lines = 0;
    broken = 0;
    firstBroken = 0;
    nextPlace = 0;
    beginning = new byte[0];
    generation++;
  }

  private boolean sameMark(FileChannel channel) throws IOException {
    return Arrays.equals(mark, bytes(channel, offset - mark.length, mark.length));
  }

  private void readOn(FileChannel channel) throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK, channel.size() - offset + 1)];
    int kept = 0; // bytes of an unfinished line at the start of the chunk
    long position = offset;
    int read;
    while ((read = channel.read(ByteBuffer.wrap(chunk, kept, chunk.length - kept), position)) > 0) {
      position += read;
      int used = parse(chunk, kept + read);
      kept += read - used;
      if (kept > LONGEST_LINE && used == 0) {
        breakLine();
        kept = 0; // the rest of a monstrous line breaks as well, at its end
      }
      System.arraycopy(chunk, used, chunk, 0, kept);
    }
    offset = position - kept;
    mark = bytes(channel, Math.max(0, offset - MARK), (int) Math.min(MARK, offset));
  }

  private static byte[] bytes(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // until full, or the end
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /** Returns how many bytes were whole lines. */
  private int parse(byte[] chunk, int length) {
    int start = 0;
    while (true) {
      int end = usual(chunk, start, length);
      if (end < 0) {
        end = next('\n', chunk, start, length);
        if (end < 0) {
          return start;
        }
        boolean known = ++lines == 1 ? isNamed(HEADER, chunk, start, end) : line(chunk, start, end);
        if (!known) {
          breakLine();
        }
      }
      start = end + 1;
    }
  }

  /**
   * Takes in a line that begins like the one before and names the expected metric, as nearly all
   * do; of 1.5 million lines a page may be waiting for.
   *
   * @return where it ends; -1 if it has to be looked at more closely
   */
  private int usual(byte[] chunk, int start, int length) {
    MetricTable.Column expected = table.at(nextPlace);
    int name = start + beginning.length;
    if (expected == null || beginning.length == 0 || name >= length) {
      return -1;
    }
    byte[] written = expected.written();
    int number = name + written.length;
    if (number >= length
        || !Arrays.equals(chunk, start, name, beginning, 0, beginning.length)
        || !Arrays.equals(chunk, name, number, written, 0, written.length)
        || !decimal.read(chunk, number, length)) {
      return -1;
    }
    lines++;
    nextPlace++;
    table.add(expected, decimal.value());
    return decimal.end();
  }

  private void breakLine() {
    beginning = new byte[0]; // what follows is looked at closely
    broken++;
    if (firstBroken == 0) {
      firstBroken = Math.max(1, lines);
    }
  }

  /** update,steps,metric,value. */
  private boolean line(byte[] chunk, int start, int end) {
    int first = next(',', chunk, start, end);
    int second = first < 0 ? -1 : next(',', chunk, first + 1, end);
    int third = second < 0 ? -1 : next(',', chunk, second + 1, end);
    if (third < 0 || next(',', chunk, third + 1, end) >= 0) {
      return false;
    }
    long update = whole(chunk, start, first);
    long steps = whole(chunk, first + 1, second);
    double value = number(chunk, third + 1, end);
    if (update < 0 || steps < 0 || !Double.isFinite(value) || third == second + 1) {
      return false;
    }
    if (!table.row(update, steps)) {
      return false;
    }
    MetricTable.Column column = column(chunk, second + 1, third);
    if (column == null) {
      return false;
    }
    table.add(column, value);
    nextPlace = column.place() + 1;
    beginning = Arrays.copyOfRange(chunk, start, second + 1);
    return true;
  }

  /** Rows name their metrics in one order, so the next column is nearly always the expected one. */
  private MetricTable.Column column(byte[] chunk, int start, int end) {
    MetricTable.Column expected = table.at(nextPlace);
    if (expected == null) {
      expected = table.at(0);
    }
    return expected != null && isNamed(expected.name(), chunk, start, end)
        ? expected
        : table.column(text(chunk, start, end));
  }

  private static boolean isNamed(String name, byte[] chunk, int start, int end) {
    if (name.length() != end - start) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) != (chunk[start + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  private static int next(char wanted, byte[] chunk, int start, int end) {
    for (int i = start; i < end; i++) {
      if (chunk[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** A whole number of at most 18 digits; -1 if it is something else. */
  private static long whole(byte[] chunk, int start, int end) {
    if (end <= start || end - start > 18) {
      return -1;
    }
    long number = 0;
    for (int i = start; i < end; i++) {
      int digit = chunk[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  private static double number(byte[] chunk, int start, int end) {
    try {
      return Double.parseDouble(text(chunk, start, end));
    } catch (NumberFormatException nonsense) {
      return Double.NaN;
    }
  }

  private static String text(byte[] chunk, int start, int end) {
    return new String(chunk, start, end - start, StandardCharsets.ISO_8859_1);
  }

  MetricTable table() {
    return table;
  }

  /** Lines that made no sense. */
  long broken() {
    return broken;
  }

  /** The number of the first of them; 0 if there is none. */
  long firstBroken() {
    return firstBroken;
  }

  /** How often the log was read again from its start. */
  int generation() {
    return generation;
  }
}
