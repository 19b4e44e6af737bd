package io.quantail.run.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.io.AppendLog;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Append-only file of the alerts of a run: one JSON object per line with the components of {@link
 * AlertEvent}.
 *
 * <p>Its content follows from the rows of metrics. A resumed run replaces the file in one step by
 * the alerts of the rows it continues from.
 */
public final class AlertLog implements AutoCloseable {

  private final AppendLog log;

  /** Creates or replaces the file with the alerts raised so far. */
  public AlertLog(Path file, List<AlertEvent> events, DurableFiles files) {
    try {
      files.replace(file, text(events).getBytes(StandardCharsets.UTF_8));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
    log = new AppendLog(files, file);
  }

  /** Appends alerts. Readers see them when this returns. */
  public void append(List<AlertEvent> events) {
    if (!events.isEmpty()) {
      log.append(text(events));
    }
  }

  /** Makes all alerts durable and returns size and hash of the file. */
  public FileDigest force() {
    return log.force();
  }

  /** Returns the content of a file with some alerts. */
  static String text(List<AlertEvent> events) {
    StringBuilder lines = new StringBuilder();
    try {
      for (AlertEvent event : events) {
        lines.append(Json.MAPPER.writeValueAsString(event)).append('\n');
      }
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
    return lines.toString();
  }

  @Override
  public void close() {
    log.close();
  }
}
