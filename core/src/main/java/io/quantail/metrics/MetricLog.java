package io.quantail.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The append-only record of a run: a CSV file with one line per update and metric.
 *
 * <p>It holds nothing that depends on the clock (metrics under {@code time/} and the seconds of a
 * row are left out) and writes every digit, so two runs from one seed give identical bytes. A line
 * that a crash cut off has no line end and is not part of the log; {@link #truncateAfter} removes
 * it. {@code MetricLogTest} pins this.
 */
public final class MetricLog implements MetricSink {
  private static final String HEADER = "update,steps,metric,value\n";
  private static final String CLOCK_METRICS = "time/";

  private final Path file;
  private final FileChannel channel;
  private long lastUpdate = Long.MIN_VALUE;

  /**
   * One line of the log.
   *
   * @param update number of the policy update
   * @param steps environment steps so far
   * @param metric the metric's name
   * @param value its value
   */
  public record Entry(long update, long steps, String metric, double value) {}

  /** Opens the file to append; makes it, with its header, if it is not there. */
  public MetricLog(Path file) {
    this.file = file;
    try {
      if (Files.exists(file) && Files.size(file) > 0) {
        checkAppendable(file);
      } else {
        Files.writeString(file, HEADER);
      }
      channel = FileChannel.open(file, StandardOpenOption.APPEND);
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot open metric log " + file, exception);
    }
  }

  @Override
  public void write(MetricRow row) {
    if (row.update() <= lastUpdate) {
      throw new IllegalArgumentException(
          "update must be greater than %d, the last in %s, was %d"
              .formatted(lastUpdate, file, row.update()));
    }
    StringBuilder lines = new StringBuilder();
    String prefix = row.update() + "," + row.steps() + ",";
    for (Map.Entry<String, Double> metric : row.values().entrySet()) {
      if (!metric.getKey().startsWith(CLOCK_METRICS)) {
        lines.append(prefix).append(metric.getKey()).append(',');
        lines.append(metric.getValue().doubleValue()).append('\n');
      }
    }
    append(lines.toString());
    lastUpdate = row.update();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot close metric log " + file, exception);
    }
  }

  /** All complete lines; safe while another process appends. */
  public static List<Entry> read(Path file) {
    String text = text(file);
    List<Entry> entries = new ArrayList<>();
    int end;
    for (int start = HEADER.length(); (end = text.indexOf('\n', start)) >= 0; start = end + 1) {
      entries.add(entry(text.substring(start, end), file));
    }
    return entries;
  }

  /**
   * Cuts the log after the given update, so that a run resumed from there continues it as if it had
   * never gone further.
   */
  public static void truncateAfter(Path file, long update) {
    String text = text(file);
    int start = HEADER.length();
    int end;
    while ((end = text.indexOf('\n', start)) >= 0
        && entry(text.substring(start, end), file).update() <= update) {
      start = end + 1;
    }
    // Names and numbers are ASCII: a position in the text is a position in the file.
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(start);
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot cut metric log " + file, exception);
    }
  }

  private void append(String lines) {
    ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.US_ASCII));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot append to metric log " + file, exception);
    }
  }

  private static void checkAppendable(Path file) {
    if (!text(file).endsWith("\n")) {
      throw new IllegalStateException(
          "metric log "
              + file
              + " ends in the middle of a line; truncate it after the update to"
              + " resume from");
    }
  }

  private static String text(Path file) {
    try {
      String text = Files.readString(file);
      if (!text.startsWith(HEADER)) {
        throw new IllegalStateException(
            "%s is no metric log: its first line must be %s".formatted(file, HEADER.strip()));
      }
      return text;
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot read metric log " + file, exception);
    }
  }

  private static Entry entry(String line, Path file) {
    String[] fields = line.split(",", -1);
    if (fields.length != 4) {
      throw new IllegalStateException(
          "metric log %s has a line that is not %s: %s".formatted(file, HEADER.strip(), line));
    }
    return new Entry(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        fields[2],
        Double.parseDouble(fields[3]));
  }
}
