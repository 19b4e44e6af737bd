package io.quantail.study.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.run.DataChangedException;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.task.TaskResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Directory of a study, that is of many trainings: settings, one run directory per agent, and the
 * result.
 *
 * <p>The run directory of an agent appears with one rename when its training is done. Unfinished
 * attempts are in {@code attempts} and are deleted.
 */
public final class StudyDirectory implements AutoCloseable {
  /**
   * Settings, data and grid of a study, which must be the same when it is resumed.
   *
   * @param kind of study: {@code sweep}, {@code walk forward}
   * @param agents name of the directory with the runs of the agents
   * @param config settings
   * @param free settings that may change, because they do not change the result of an agent
   * @param fingerprints of the data
   * @param grid values of the settings in which agents differ, by path
   */
  public record Beginning(
      String kind,
      String agents,
      RunConfig config,
      Set<String> free,
      List<String> fingerprints,
      Map<String, List<String>> grid) {
    private Map<String, Object> data() {
      return Map.of("kind", kind, "fingerprints", fingerprints, "grid", grid);
    }
  }

  private final Path directory;
  private final Path agents;
  private final DirectoryLock lock;

  private StudyDirectory(Path directory, String agents, DirectoryLock lock) {
    this.directory = directory;
    this.agents = directory.resolve(agents);
    this.lock = lock;
    AtomicFiles.deleteDirectory(attempts());
  }

  /**
   * Creates the first free directory {@code NAME-001}, {@code NAME-002}, … below another.
   *
   * @param parent directory of the studies
   * @param name first part of the directory's name
   * @param beginning settings, grid and data of the study
   * @return the open directory
   */
  public static StudyDirectory openNext(Path parent, String name, Beginning beginning) {
    for (int number = 1; ; number++) {
      Path candidate = parent.resolve(String.format(Locale.ROOT, "%s-%03d", name, number));
      try {
        Files.createDirectories(parent);
        Files.createDirectory(candidate);
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot write the directory " + candidate, failure);
      }
      return open(candidate, beginning);
    }
  }

  /**
   * Creates a directory, or resumes the study in it if settings, grid and data are the same.
   *
   * @param directory of the study
   * @param beginning settings, grid and data of the study
   * @return the open directory
   * @throws ConfigException if the settings or the grid differ, or another process uses the
   *     directory
   * @throws DataChangedException if the data differ
   */
  public static StudyDirectory open(Path directory, Beginning beginning) {
    requireFreeOrSame(directory, beginning); // before anything is written into a foreign directory
    DirectoryLock lock = lock(directory);
    try {
      if (requireFreeOrSame(directory, beginning)) {
        AtomicFiles.write(
            directory.resolve(RunLayout.STUDY), Json.text(new TreeMap<>(beginning.data())));
      }
      AtomicFiles.write(
          directory.resolve(RunLayout.CONFIG), YamlConfig.toStoredYaml(beginning.config()));
      return new StudyDirectory(directory, beginning.agents(), lock);
    } catch (IOException | RuntimeException failure) {
      lock.close();
      throw failure instanceof RuntimeException known
          ? known
          : new UncheckedIOException(
              "cannot write the directory " + directory, (IOException) failure);
    }
  }

  /** Whether the study begins; false if it is resumed. */
  private static boolean requireFreeOrSame(Path directory, Beginning beginning) {
    if (RunLayout.isFree(directory)) {
      return true;
    }
    requireSame(directory, beginning);
    return false;
  }

  private static DirectoryLock lock(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the directory " + directory, failure);
    }
    return DirectoryLock.acquire(directory);
  }

  private static void requireSame(Path directory, Beginning beginning) {
    JsonNode before = data(directory);
    JsonNode now = Json.tree(beginning.data());
    if (!before.path("kind").equals(now.path("kind"))) {
      throw new ConfigException(
          "%s exists and is no %s; choose another directory with --run"
              .formatted(directory, beginning.kind()));
    }
    requireSameSettings(directory, beginning);
    requireSameGrid(directory, before.path("grid"), now.path("grid"));
    if (!before.path("fingerprints").equals(now.path("fingerprints"))) {
      throw new DataChangedException(
          "%s was started with other data: fingerprints were %s, are %s; restore the old data, or"
                  .formatted(directory, before.path("fingerprints"), now.path("fingerprints"))
              + " use another directory with --run");
    }
  }

  private static void requireSameSettings(Path directory, Beginning beginning) {
    JsonNode before = YamlConfig.toTree(RunReader.config(directory));
    List<String> changes =
        ConfigDiff.changes(before, beginning.config()).stream()
            .filter(change -> !beginning.free().contains(change.path()))
            .map(Object::toString)
            .toList();
    if (!changes.isEmpty()) {
      throw new ConfigException(
          "%s was started with other settings: %s; use those, or another directory with --run"
              .formatted(directory, String.join("; ", changes)));
    }
  }

  private static void requireSameGrid(Path directory, JsonNode before, JsonNode now) {
    if (!before.equals(now)) {
      throw new ConfigException(
          "%s was started with another grid: it was %s, is %s; use that, or another directory with"
                  .formatted(directory, before, now)
              + " --run");
    }
  }

  /**
   * Tells what kind of study is in a directory.
   *
   * @param directory of anything
   * @return {@code sweep}, {@code walk forward}; empty if it is not the directory of a study
   */
  public static Optional<String> kind(Path directory) {
    return Optional.ofNullable(data(directory).path("kind").textValue());
  }

  /** The stored data of a study; missing if the directory is not that of a study. */
  private static JsonNode data(Path directory) {
    Path file = directory.resolve(RunLayout.STUDY);
    try {
      return Files.isRegularFile(file)
          ? Json.MAPPER.readTree(file.toFile())
          : MissingNode.getInstance();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** {@return the path of the directory} */
  public Path path() {
    return directory;
  }

  /** {@return the name of the directory, however its path is written} */
  public String name() {
    return directory.toAbsolutePath().normalize().getFileName().toString();
  }

  /**
   * Run directory of a task's agent. It exists when the task is done.
   *
   * @param task name of the task
   * @return the directory
   */
  public Path run(String task) {
    return agents.resolve(task);
  }

  /** {@return the directory of unfinished attempts} */
  public Path attempts() {
    return directory.resolve(RunLayout.ATTEMPTS);
  }

  /**
   * Moves a finished attempt to the run directory of its agent.
   *
   * @param result of the task
   */
  public void commit(TaskResult<?> result) {
    lock.requireHeld();
    AtomicFiles.moveDirectory(Objects.requireNonNull(result.directory()), run(result.name()));
    AtomicFiles.deleteDirectory(attempts().resolve(result.name()));
  }

  /**
   * Writes a file of the result.
   *
   * @param name of the file in this directory
   * @param content of the file
   */
  public void write(String name, String content) {
    Path file = directory.resolve(name);
    try {
      Files.writeString(file, content);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  @Override
  public void close() {
    try (lock) {
      lock.requireHeld();
      AtomicFiles.deleteDirectory(attempts());
    }
  }
}
