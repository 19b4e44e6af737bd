package io.quantail.health;

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
 * The append-only list of the alerts of a run: a file with one JSON object per line, in the order
 * of the components of {@link AlertEvent}.
 *
 * <p>It follows from the rows of the run, so a run that is resumed writes it anew with the rows it
 * goes on from; at every moment the file is whole lines of one of the two.
 */
public final class AlertLog implements AutoCloseable {

  private final Path file;
  private final FileChannel channel;

  /** Makes the file, or replaces it, with the alerts that are known already. */
  public AlertLog(Path file, List<AlertEvent> events) {
    this.file = file;
    try {
      AtomicFiles.write(file, bytes(events));
      channel = FileChannel.open(file, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** Adds alerts so that a reader sees them when this returns. */
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
