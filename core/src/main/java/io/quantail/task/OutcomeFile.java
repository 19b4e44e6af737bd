package io.quantail.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The outcome of an agent's task in its run directory, with all digits; what is there for a task is
 * not done again. The hash says whether it was this task.
 */
public final class OutcomeFile {
  private static final String NAME = "outcome.json.gz";
  private static final String TASK = "task";
  private static final String OUTCOME = "outcome";

  private OutcomeFile() {}

  public static <R extends Serializable> void write(Path directory, AgentTask<R> task, R outcome) {
    Path file = directory.resolve(NAME);
    try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
      Json.MAPPER.writeValue(output, new TreeMap<>(Map.of(TASK, hash(task), OUTCOME, outcome)));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** The outcome of a task, if this directory has one and it is whole. */
  public static <R extends Serializable> Optional<R> read(Path directory, AgentTask<R> task) {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream input = new GZIPInputStream(Files.newInputStream(file))) {
      JsonNode content = Json.MAPPER.readTree(input);
      return content.path(TASK).asText().equals(hash(task))
          ? Optional.of(Json.MAPPER.treeToValue(content.path(OUTCOME), task.outcomeType()))
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static String hash(AgentTask<?> task) {
    return Sha256.hex(task.name() + '\n' + task.settings());
  }
}
