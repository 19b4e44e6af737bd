package io.quantail.app.dashboard;

import io.quantail.run.RunLayout;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Follows what a run's event files say about time; the metric log says nothing of clocks.
 *
 * <p>Every start of a run writes a file of its own. A resumed run repeats steps, so what the older
 * file said about them is forgotten. Frames and fields are those of {@code
 * io.quantail.metrics.EventEncoder}; {@code ClockTailTest} reads what it writes.
 */
final class ClockTail {
  private static final String PREFIX = "events.out.tfevents.";
  private static final int LARGEST_EVENT = 1 << 22;
  private static final int FRAME = 12; // bytes before an event: its length and their checksum
  private static final int CHECKSUM = 4;
  private static final int RECENT_ROWS = 20;

  private final RunFolder folder;
  private final MetricTable table = new MetricTable();
  private final List<Source> sources = new ArrayList<>();
  private double[] walls = new double[64]; // of each row of the table, seconds since 1970
  private int startRow; // first row of the newest file

  /** One event file and how far it was read. */
  private static final class Source {
    private final String name;
    private long offset;
    private boolean hasRows;
    private double begin = Double.NaN;
    private double end = Double.NaN;

    Source(String name) {
      this.name = name;
    }
  }

  ClockTail(RunFolder folder) {
    this.folder = folder;
  }

  /** Takes in what has been written since the last call. */
  void poll() throws IOException {
    Path directory = folder.path().resolve(RunLayout.TENSORBOARD);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (String name : names(directory)) {
      if (sources.stream().noneMatch(source -> source.name.equals(name))) {
        sources.add(new Source(name));
      }
    }
    RunFolder files = new RunFolder(folder.id(), directory);
    for (Source source : sources) {
      read(files, source);
    }
  }

  private static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, PREFIX + "*")) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    Collections.sort(names);
    return names;
  }

  private void read(RunFolder files, Source source) throws IOException {
    long size = files.stamp(source.name).map(RunFolder.Stamp::size).orElse(0L);
    if (size <= source.offset) {
      return;
    }
    try (FileChannel channel = files.open(source.name)) {
      ByteBuffer chunk =
          ByteBuffer.allocate((int) Math.min(2L * LARGEST_EVENT, size - source.offset))
              .order(ByteOrder.LITTLE_ENDIAN);
      while (channel.read(chunk, source.offset + chunk.position()) > 0) {
        chunk.flip();
        int used = events(chunk, source);
        source.offset += used;
        chunk.position(used);
        chunk.compact();
        if (used == 0) {
          return; // the rest of an event is still to come
        }
      }
    }
  }

  /** Returns how many bytes were whole events. */
  private int events(ByteBuffer chunk, Source source) {
    int start = 0;
    while (chunk.limit() - start >= FRAME) {
      long length = chunk.getLong(start);
      if (length < 0 || length > LARGEST_EVENT) {
        return start; // damaged: nothing after it can be trusted
      }
      int end = start + FRAME + (int) length + CHECKSUM;
      if (end > chunk.limit()) {
        return start;
      }
      event(chunk.slice(start + FRAME, (int) length).order(ByteOrder.LITTLE_ENDIAN), source);
      start = end;
    }
    return start;
  }

  private void event(ByteBuffer bytes, Source source) {
    ClockEvent event;
    try {
      event = ClockEvent.read(bytes);
    } catch (BufferUnderflowException | IllegalArgumentException damaged) {
      return;
    }
    source.begin = Double.isNaN(source.begin) ? event.wallSeconds() : source.begin;
    source.end = event.wallSeconds();
    if (event.times().isEmpty()) {
      return;
    }
    if (!source.hasRows) {
      source.hasRows = true;
      table.truncate(event.steps());
      startRow = table.rows();
    }
    if (table.row(event.iteration(), event.steps())) {
      if (table.rows() > walls.length) {
        walls = Arrays.copyOf(walls, 2 * walls.length);
      }
      walls[table.rows() - 1] = event.wallSeconds();
      event.times().forEach((name, value) -> table.add(table.column(name), value));
    }
  }

  /** Metrics under {@code time/}. */
  MetricTable table() {
    return table;
  }

  /** Time during which a process was training, over all starts; NaN if nothing is known. */
  double elapsedSeconds() {
    return sources.stream()
        .mapToDouble(source -> source.end - source.begin)
        .filter(Double::isFinite)
        .reduce(Double::sum)
        .orElse(Double.NaN);
  }

  /** Steps per second over the last rows of the newest start; NaN if there are fewer than two. */
  double recentSpeed() {
    int last = table.rows() - 1;
    int first = Math.max(startRow, last - RECENT_ROWS);
    double seconds = first < last ? walls[last] - walls[first] : 0;
    return seconds > 0 ? (table.steps(last) - table.steps(first)) / seconds : Double.NaN;
  }
}
