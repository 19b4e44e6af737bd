package io.quantail.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.io.AtomicFiles;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code status.json} of a run: the state of its training and the time of the last update.
 *
 * @param state of the training
 * @param processId of the process that wrote the file
 * @param update last update that was recorded
 * @param time of that update, or of the end
 * @param started when the training began; null in files of older versions, whose {@code run.json}
 *     has it
 */
public record RunStatus(
    State state, long processId, long update, Instant time, @Nullable Instant started) {
  /** Name of the file in a run directory. */
  public static final String FILE = RunLayout.STATUS;

  /** The state of a training. */
  public enum State {
    /** The training runs, or its process ended without writing the file again. */
    RUNNING,
    /** The training reached its end. */
    FINISHED,
    /** The training was stopped and can be resumed. */
    INTERRUPTED,
    /** The training ended with an error. */
    FAILED
  }

  /**
   * The status of a training in this process.
   *
   * @param state of the training
   * @param update last update that was recorded
   * @param started when the training began
   * @return the status at this moment
   */
  public static RunStatus now(State state, long update, Instant started) {
    return new RunStatus(state, ProcessHandle.current().pid(), update, Instant.now(), started);
  }

  /**
   * Replaces the file in one step, so that readers get the old status or the new one.
   *
   * @param runDirectory of the run
   */
  public void write(Path runDirectory) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("state", state.name().toLowerCase(Locale.ROOT));
    fields.put("processId", processId);
    fields.put("update", update);
    fields.put("time", time.toString());
    if (started != null) {
      fields.put("started", started.toString());
    }
    Path file = runDirectory.resolve(FILE);
    try {
      AtomicFiles.write(file, Json.MAPPER.writeValueAsString(fields) + "\n");
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /**
   * Reads the status of a run.
   *
   * @param runDirectory of the run
   * @return the status; empty if the file is missing, as in runs of older versions, or unreadable
   */
  public static Optional<RunStatus> read(Path runDirectory) {
    try {
      JsonNode fields = Json.MAPPER.readTree(runDirectory.resolve(FILE).toFile());
      return Optional.of(
          new RunStatus(
              State.valueOf(fields.path("state").asText().toUpperCase(Locale.ROOT)),
              fields.path("processId").asLong(),
              fields.path("update").asLong(),
              Instant.parse(fields.path("time").asText()),
              fields.has("started") ? Instant.parse(fields.path("started").asText()) : null));
    } catch (IOException | RuntimeException missingOrBroken) {
      return Optional.empty();
    }
  }
}
