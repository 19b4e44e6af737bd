package io.quantail.run.metrics;

import io.quantail.metrics.MetricRow;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;

/**
 * Writes rows as scalars to a TensorBoard event file; the horizontal axis is the number of
 * environment steps.
 *
 * <p>Each sink creates a file of its own, so a resumed run adds a file to the directory.
 * TensorBoard stores single precision: values beyond its range are omitted here and are exact in
 * {@link MetricCsv}. {@code TensorBoardWriterTest} reads the file back; {@code
 * tools/check_tensorboard.py} does so with TensorBoard itself.
 */
public final class TensorBoardWriter implements MetricSink {
  private final Clock clock;
  private final Path file;
  private final OutputStream out;

  /** Creates the directory if it is missing, and a new event file in it. */
  public TensorBoardWriter(Path directory, Clock clock) {
    this.clock = clock;
    try {
      Files.createDirectories(directory);
      file = createFile(directory, clock.instant());
      out = Files.newOutputStream(file, StandardOpenOption.APPEND);
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot create an event file in " + directory, exception);
    }
    append(TensorBoardEvents.header(wallTime()));
  }

  @Override
  public void write(MetricRow row) {
    append(TensorBoardEvents.scalars(wallTime(), row.steps(), row.values()));
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot close event file " + file, exception);
    }
  }

  /** TensorBoard reads files in the order of their names: time first, then a number. */
  private static Path createFile(Path directory, Instant now) throws IOException {
    for (int number = 0; ; number++) {
      String name =
          String.format(
              Locale.ROOT, "events.out.tfevents.%010d.quantail.%04d", now.getEpochSecond(), number);
      try {
        return Files.createFile(directory.resolve(name));
      } catch (FileAlreadyExistsException taken) {
        // Another sink started within the same second; the next number is tried.
      }
    }
  }

  /** One unbuffered write per event, so that a reader never waits for a buffer to fill. */
  private void append(byte[] frame) {
    try {
      out.write(frame);
    } catch (IOException exception) {
      throw new UncheckedIOException("cannot append to event file " + file, exception);
    }
  }

  private double wallTime() {
    return clock.millis() / 1000.0;
  }
}
