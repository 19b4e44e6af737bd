package io.quantail.market.walk;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The outcome of a fold's agent in its run directory, with all digits; what is there for a task is
 * not done again. The hash says whether it was this task.
 */
public final class FoldFile {
  private static final String NAME = "fold.json.gz";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param task hash of what decides its result
   * @param outcome its result
   */
  private record Content(String task, FoldOutcome outcome) {}

  private FoldFile() {}

  static void write(Path directory, FoldTask task, FoldOutcome outcome) {
    Path file = directory.resolve(NAME);
    try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(file))) {
      JSON.writeValue(output, new Content(hash(task), outcome));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** The outcome of a task, if this directory has one and it is whole. */
  public static Optional<FoldOutcome> read(Path directory, FoldTask task) {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream input = new GZIPInputStream(Files.newInputStream(file))) {
      Content content = JSON.readValue(input, Content.class);
      return content.task().equals(hash(task)) ? Optional.of(content.outcome()) : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  private static String hash(FoldTask task) {
    try {
      byte[] bytes = (task.name() + '\n' + task.settings()).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
