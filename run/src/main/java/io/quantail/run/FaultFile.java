package io.quantail.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.ConfigException;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.io.AtomicFiles;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A recorded failure of an environment, with all that is needed to replay it.
 *
 * @param format version of the file format
 * @param environment name of the environment
 * @param stepDeadlineSeconds time after which a call counted as hung; null if there was no limit
 * @param fault what happened, and the actions that led there
 */
public record FaultFile(
    int format, String environment, @Nullable Double stepDeadlineSeconds, EnvironmentFault fault) {
  private static final int FORMAT = 1;

  /**
   * A fault with the environment it happened in.
   *
   * @param environment name of the environment
   * @param stepDeadlineSeconds time after which a call counted as hung; null if there was no limit
   * @param fault what happened, and the actions that led there
   * @return the content of the file
   */
  public static FaultFile of(
      String environment, @Nullable Double stepDeadlineSeconds, EnvironmentFault fault) {
    return new FaultFile(FORMAT, environment, stepDeadlineSeconds, fault);
  }

  /**
   * Writes the file; its name consists of the numbers of environment and restart.
   *
   * @param directory in which the file is created; created if it does not exist
   * @return the file
   */
  public Path writeTo(Path directory) {
    Path file =
        directory.resolve(
            String.format(
                Locale.ROOT,
                "environment-%03d-restart-%04d.json",
                fault.environment(),
                fault.restart()));
    try {
      Files.createDirectories(directory);
      return AtomicFiles.write(file, Json.INDENTED.writeValueAsBytes(this));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /**
   * Reads a file of a run's faults directory.
   *
   * @param file the file
   * @return its content
   * @throws ConfigException if it does not exist or is not a fault file
   */
  public static FaultFile read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new ConfigException(
          file + " does not exist; name a file from the faults directory of a run");
    }
    try {
      FaultFile read = Json.MAPPER.readValue(file.toFile(), FaultFile.class);
      if (read.format() != FORMAT || read.fault() == null || read.fault().recording() == null) {
        throw notOne(file, "its format must be " + FORMAT);
      }
      return read;
    } catch (JsonProcessingException malformed) {
      throw notOne(file, malformed.getOriginalMessage());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  private static ConfigException notOne(Path file, String why) {
    return new ConfigException(
        file + " is not a fault file: " + why + "; name a file from the faults directory of a run");
  }
}
