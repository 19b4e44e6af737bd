package io.quantail.study.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.io.Sha256;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.FormatZero;
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
 * Stores the result of an agent's task in its run directory at full precision. A repeated study
 * skips tasks whose hash matches.
 */
public final class OutcomeFile {
  private static final String TASK = "task";
  private static final String OUTCOME = "outcome";

  private OutcomeFile() {}

  /** Writes the outcome of a task. */
  public static <R extends Serializable> void write(Path directory, AgentTask<R> task, R outcome) {
    Path file = directory.resolve(RunLayout.OUTCOME);
    try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
      Json.MAPPER.writeValue(output, new TreeMap<>(Map.of(TASK, hash(task), OUTCOME, outcome)));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** The outcome of a task; empty if the directory has none, or a damaged one. */
  public static <R extends Serializable> Optional<R> read(Path directory, AgentTask<R> task) {
    Path file = directory.resolve(RunLayout.OUTCOME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream input = new GZIPInputStream(Files.newInputStream(file))) {
      JsonNode content = Json.MAPPER.readTree(input);
      return isOf(task, content.path(TASK).asText())
          ? Optional.of(Json.MAPPER.treeToValue(content.path(OUTCOME), task.outcomeType()))
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static String hash(AgentTask<?> task) {
    return hash(task, ConfigDiff.hash(task.config()));
  }

  private static String hash(AgentTask<?> task, String settings) {
    return Sha256.hex(task.name() + '\n' + settings);
  }

  private static boolean isOf(AgentTask<?> task, String stored) {
    return stored.equals(hash(task))
        || FormatZero.yaml(task.config()).filter(old -> stored.equals(hash(task, old))).isPresent();
  }
}
