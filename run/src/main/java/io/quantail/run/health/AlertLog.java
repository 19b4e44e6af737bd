package io.quantail.run.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.io.AtomicFiles;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Append-only file of the alerts of a run: one JSON object per line with the components of {@link
 * AlertEvent}.
 *
 * <p>Its content follows from the rows of metrics. A resumed run replaces the file in one step by
 * the alerts of the rows it continues from.
 */
public final class AlertLog implements AutoCloseable {

  private final Path file;
  private final FileChannel channel;

  /** Creates or replaces the file with the alerts raised so far. */
  public AlertLog(Path file, List<AlertEvent> events) {
    this.file = file;
    try {
      AtomicFiles.write(file, bytes(events));
      channel = FileChannel.open(file, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** Appends alerts. Readers see them when this returns. */
  public void append(List<AlertEvent> events) {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(events));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot append to " + file, failure);
    }
  }

  private static byte[] bytes(List<AlertEvent> events) {
    StringBuilder lines = new StringBuilder();
    try {
      for (AlertEvent event : events) {
        lines.append(Json.MAPPER.writeValueAsString(event)).append('\n');
      }
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot close " + file, failure);
    }
  }
}
