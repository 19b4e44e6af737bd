package io.quantail.run.metrics;

import io.quantail.metrics.MetricRow;
import io.quantail.run.io.AppendLog;
import io.quantail.run.io.DamagedFileException;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a run as CSV files: writes them, and is their only reader beside SQL.
 *
 * <p>{@code metrics.csv} has one line per update and metric: {@code update,steps,metric,value}. It
 * contains no values that depend on the clock (metrics under {@code time/} and the seconds of a row
 * are omitted) and all digits of the others, so two runs from one seed give identical bytes. {@code
 * clock.csv} beside it has one line per update with the time: {@code
 * update,steps,seconds,epochMillis}. It is optional, because files that hold wall-clock time cannot
 * be compared byte for byte.
 *
 * <p>A line that a crash left incomplete has no line end and does not count; {@link #truncateAfter}
 * removes it. {@code MetricCsvTest} pins this.
 */
public final class MetricCsv implements MetricSink {
  /** Name of the file with the times, in the directory of the metrics. */
  public static final String CLOCK = "clock.csv";

  private static final String HEADER = "update,steps,metric,value";
  private static final String CLOCK_HEADER = "update,steps,seconds,epochMillis";
  private static final String CLOCK_METRICS = "time/";
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MAX_LINE_BYTES = 4_096;

  private final Path file;
  private final AppendLog metrics;
  private final @Nullable Clock clock; // null if no times are written
  private final @Nullable AppendLog times; // null if no times are written
  private long lastUpdate = Long.MIN_VALUE;

  /**
   * One line of {@code metrics.csv}.
   *
   * @param update number of the policy update
   * @param steps environment steps so far
   * @param metric name of the metric
   * @param value finite
   */
  public record Entry(long update, long steps, String metric, double value) {}

  /**
   * One line of {@code clock.csv}.
   *
   * @param update number of the policy update
   * @param steps environment steps so far
   * @param seconds since the training process started to train
   * @param epochMillis wall-clock time at which the update was recorded, in milliseconds since 1970
   */
  public record ClockEntry(long update, long steps, double seconds, long epochMillis) {}

  /** Opens {@code metrics.csv} to append, without times; creates it if it is missing. */
  public MetricCsv(Path file) {
    this(file, null, new DurableFiles());
  }

  /**
   * Opens {@code metrics.csv}, and {@code clock.csv} beside it, to append; creates missing files.
   *
   * @param clock time of day; null for no {@code clock.csv}
   */
  public MetricCsv(Path file, @Nullable Clock clock) {
    this(file, clock, new DurableFiles());
  }

  /** Opens the files as {@link #MetricCsv(Path, Clock)} does, and writes them in a given way. */
  public MetricCsv(Path file, @Nullable Clock clock, DurableFiles files) {
    this.file = file;
    this.clock = clock;
    metrics = open(file, HEADER, files);
    try {
      times = clock == null ? null : open(clockFile(file), CLOCK_HEADER, files);
    } catch (RuntimeException failure) {
      metrics.close();
      throw failure;
    }
  }

  @Override
  public void write(MetricRow row) {
    if (row.update() <= lastUpdate) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "update must be greater than %d, the last in %s, was %d",
              lastUpdate,
              file,
              row.update()));
    }
    StringBuilder lines = new StringBuilder();
    String prefix = row.update() + "," + row.steps() + ",";
    for (Map.Entry<String, Double> metric : row.values().entrySet()) {
      if (!metric.getKey().startsWith(CLOCK_METRICS)) {
        lines.append(prefix).append(metric.getKey()).append(',');
        lines.append(metric.getValue().doubleValue()).append('\n');
      }
    }
    metrics.append(lines.toString());
    if (times != null) {
      times.append(prefix + row.seconds() + "," + Objects.requireNonNull(clock).millis() + "\n");
    }
    lastUpdate = row.update();
  }

  @Override
  public Map<String, FileDigest> force() {
    Map<String, FileDigest> digests = new TreeMap<>();
    digests.put(file.getFileName().toString(), metrics.force());
    if (times != null) {
      digests.put(CLOCK, times.force());
    }
    return digests;
  }

  @Override
  public void close() {
    try (metrics;
        times) {
      // both are closed, also if closing one fails
    }
  }

  /** All complete lines of {@code metrics.csv}; safe while another process appends. */
  public static List<Entry> read(Path file) {
    requireHeader(file, HEADER);
    List<Entry> entries = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      readMetrics(
          channel,
          0,
          entries::add,
          lineOffset -> {
            throw damaged(file, "line " + (entries.size() + 2));
          });
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot read metric log " + file, exception);
    }
    return entries;
  }

  /**
   * Reads the complete lines of {@code metrics.csv} from an offset on.
   *
   * @param offset start of a line; 0 for the whole file, whose header is then checked and skipped
   * @param malformed called with the offset of each line that is not {@code
   *     update,steps,metric,value}
   * @return offset after the last complete line, from which to read on later
   */
  public static long readMetrics(
      FileChannel channel, long offset, Consumer<Entry> entries, LongConsumer malformed)
      throws IOException {
    return readLines(channel, offset, HEADER, MetricCsv::entry, entries, malformed);
  }

  /** Reads {@code clock.csv} as {@link #readMetrics} reads {@code metrics.csv}. */
  public static long readClock(
      FileChannel channel, long offset, Consumer<ClockEntry> entries, LongConsumer malformed)
      throws IOException {
    return readLines(channel, offset, CLOCK_HEADER, MetricCsv::clockEntry, entries, malformed);
  }

  /**
   * Returns the highest update with a complete line in {@code metrics.csv}; 0 if there is none.
   * Damaged lines do not count.
   */
  public static long lastUpdate(Path file) {
    if (Files.notExists(file)) {
      return 0;
    }
    long[] last = {0};
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      readMetrics(channel, 0, entry -> last[0] = Math.max(last[0], entry.update()), line -> {});
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot read metric log " + file, exception);
    }
    return last[0];
  }

  /**
   * Removes the rows after the given update from {@code metrics.csv} and from the {@code clock.csv}
   * beside it, if there is one, so that a run resumed from there continues both files after that
   * update.
   *
   * @return number of lines that were removed from {@code metrics.csv}
   */
  public static int truncateAfter(Path file, long update) {
    requireHeader(file, HEADER);
    int removed =
        truncate(
            file,
            HEADER,
            line -> {
              Entry entry = entry(line);
              if (entry == null) {
                throw damaged(file, line);
              }
              return entry.update() <= update;
            });
    truncateTimesAfter(file, update);
    return removed;
  }

  /** Removes the rows after the given update from the {@code clock.csv} beside the metrics. */
  public static void truncateTimesAfter(Path metrics, long update) {
    Path times = clockFile(metrics);
    if (Files.exists(times)) {
      // Times are not needed to resume: a damaged file is truncated before the damage.
      truncate(
          times,
          CLOCK_HEADER,
          line -> {
            ClockEntry entry = clockEntry(line);
            return entry != null && entry.update() <= update;
          });
    }
  }

  /**
   * Removes everything after the first bytes of a file.
   *
   * @return number of lines that were removed, a last one without an end included
   */
  public static int truncate(Path file, long size) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int lines = lines(channel, size);
      channel.truncate(size);
      return lines;
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot truncate metric log " + file, exception);
    }
  }

  private static int lines(FileChannel channel, long from) throws IOException {
    int lines = 0;
    byte last = '\n';
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    for (long position = from; channel.read(chunk.clear(), position) > 0; ) {
      position += chunk.flip().limit();
      while (chunk.hasRemaining()) {
        last = chunk.get();
        lines += last == '\n' ? 1 : 0;
      }
    }
    return last == '\n' ? lines : lines + 1;
  }

  private static Path clockFile(Path metrics) {
    return metrics.resolveSibling(CLOCK);
  }

  private static AppendLog open(Path file, String header, DurableFiles files) {
    try {
      if (Files.exists(file) && Files.size(file) > 0) {
        requireHeader(file, header);
        requireLineEnd(file);
      }
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot open metric log " + file, exception);
    }
    AppendLog log = new AppendLog(files, file);
    if (log.size() == 0) {
      log.append(header + "\n");
    }
    return log;
  }

  private static void requireHeader(Path file, String header) {
    byte[] expected = (header + "\n").getBytes(StandardCharsets.US_ASCII);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer found = ByteBuffer.allocate(expected.length);
      channel.read(found, 0);
      if (!Arrays.equals(found.array(), expected)) {
        throw new DamagedFileException(file, "is damaged: its first line must be " + header);
      }
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot read metric log " + file, exception);
    }
  }

  private static void requireLineEnd(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      channel.read(last, channel.size() - 1);
      if (last.get(0) != '\n') {
        throw new DamagedFileException(
            file, "ends in the middle of a line; resume the run, which cuts it");
      }
    }
  }

  /**
   * Truncates a file before the first line that is removed; a file without the header is emptied.
   */
  private static int truncate(Path file, String header, Function<String, Boolean> keep) {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1); // one byte a character
      int start = text.startsWith(header + "\n") ? header.length() + 1 : 0;
      int end;
      while (start > 0
          && (end = text.indexOf('\n', start)) >= 0
          && keep.apply(text.substring(start, end))) {
        start = end + 1;
      }
      return truncate(file, start);
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot truncate metric log " + file, exception);
    }
  }

  private static <T> long readLines(
      FileChannel channel,
      long offset,
      String header,
      Function<String, T> parser,
      Consumer<T> entries,
      LongConsumer malformed)
      throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, Math.max(0, channel.size() - offset) + 1)];
    int kept = 0; // bytes of an incomplete line at the start of the chunk
    long position = offset;
    int read;
    while ((read = channel.read(ByteBuffer.wrap(chunk, kept, chunk.length - kept), position)) > 0) {
      int length = kept + read;
      long chunkStart = position - kept;
      position += read;
      int start = 0;
      for (int i = kept; i < length; i++) {
        if (chunk[i] == '\n') {
          String line = new String(chunk, start, i - start, StandardCharsets.ISO_8859_1);
          boolean first = chunkStart + start == 0;
          T entry = first ? null : parser.apply(line);
          if (entry != null) {
            entries.accept(entry);
          } else if (!first || !line.equals(header)) {
            malformed.accept(chunkStart + start);
          }
          start = i + 1;
        }
      }
      kept = length - start;
      if (kept > MAX_LINE_BYTES && start == 0) {
        malformed.accept(chunkStart);
        kept = 0; // the rest of an overlong line is malformed as well, at its end
      }
      System.arraycopy(chunk, start, chunk, 0, kept);
    }
    return position - kept;
  }

  /** The entry of a line; null if the line is malformed. */
  private static @Nullable Entry entry(String line) {
    int[] commas = threeCommas(line);
    try {
      if (commas == null || commas[2] == commas[1] + 1) {
        return null;
      }
      long update = Long.parseLong(line, 0, commas[0], 10);
      long steps = Long.parseLong(line, commas[0] + 1, commas[1], 10);
      double value = Double.parseDouble(line.substring(commas[2] + 1));
      return update >= 0 && steps >= 0 && Double.isFinite(value)
          ? new Entry(update, steps, line.substring(commas[1] + 1, commas[2]), value)
          : null;
    } catch (NumberFormatException malformed) {
      return null;
    }
  }

  /** The entry of a line; null if the line is malformed. */
  private static @Nullable ClockEntry clockEntry(String line) {
    int[] commas = threeCommas(line);
    try {
      if (commas == null) {
        return null;
      }
      long update = Long.parseLong(line, 0, commas[0], 10);
      long steps = Long.parseLong(line, commas[0] + 1, commas[1], 10);
      double seconds = Double.parseDouble(line.substring(commas[1] + 1, commas[2]));
      long epochMillis = Long.parseLong(line, commas[2] + 1, line.length(), 10);
      return update >= 0 && steps >= 0 && Double.isFinite(seconds) && epochMillis >= 0
          ? new ClockEntry(update, steps, seconds, epochMillis)
          : null;
    } catch (NumberFormatException malformed) {
      return null;
    }
  }

  /** Positions of the commas of a line that has exactly three; null for other lines. */
  private static int @Nullable [] threeCommas(String line) {
    int first = line.indexOf(',');
    int second = first < 0 ? -1 : line.indexOf(',', first + 1);
    int third = second < 0 ? -1 : line.indexOf(',', second + 1);
    return third >= 0 && line.indexOf(',', third + 1) < 0 ? new int[] {first, second, third} : null;
  }

  private static DamagedFileException damaged(Path file, Object line) {
    return new DamagedFileException(file, "is damaged: %s is not %s".formatted(line, HEADER));
  }
}
