package io.quantail.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.run.RunLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Stores the outcome of an agent's task at full precision in its run directory. A repeated study
 * skips tasks whose hash matches.
 */
public final class OutcomeFile {
  private static final String TASK = "task";
  private static final String OUTCOME = "outcome";
  private static final ObjectMapper JSON = new ObjectMapper();

  private OutcomeFile() {}

  /** Writes the outcome of a task. */
  public static <R extends Serializable> void write(Path directory, AgentTask<R> task, R outcome) {
    Path file = directory.resolve(RunLayout.OUTCOME);
    try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
      JSON.writeValue(output, new TreeMap<>(Map.of(TASK, hash(task), OUTCOME, outcome)));
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
      JsonNode content = JSON.readTree(input);
      return content.path(TASK).asText().equals(hash(task))
          ? Optional.of(JSON.treeToValue(content.path(OUTCOME), task.outcomeType()))
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static String hash(AgentTask<?> task) {
    try {
      byte[] bytes = (task.name() + '\n' + task.settings()).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
