package io.quantail.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.market.data.DataException;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.task.TaskResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Many agents on disk: their settings, a run directory for each, and the result.
 *
 * <p>An agent appears in its place with one rename when it is done; what is half done lies under
 * {@code attempts} and is thrown away.
 */
final class AgentsDirectory implements AutoCloseable {
  private static final String CONFIG = "config.yaml";
  private static final String DATA = "data.json";

  /**
   * What a directory was begun with, and has to be when it goes on.
   *
   * @param kind what the agents are: {@code sweep}, {@code walk forward}
   * @param agents name of the directory that has a run for each
   * @param config settings
   * @param free settings that may change: they decide how much is done and how fast, not what comes
   *     out
   * @param fingerprints of the data
   * @param grid values of the settings in which agents differ, by path
   */
  record Beginning(
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
  private final FileChannel lock;

  private AgentsDirectory(Path directory, String agents) {
    this.directory = directory;
    this.agents = directory.resolve(agents);
    this.lock = lock(directory);
    AtomicFiles.deleteDirectory(attempts());
  }

  /**
   * The directory that was asked for, else the first free one {@code NAME-001}, …
   *
   * @param name of the latter
   */
  static AgentsDirectory open(RunPlace place, String name, Beginning beginning) {
    if (place.directory() != null) {
      return open(place.directory(), beginning);
    }
    for (int number = 1; ; number++) {
      Path candidate = RunPlace.RUNS.resolve("%s-%03d".formatted(name, number));
      if (Files.notExists(candidate)) {
        return open(candidate, beginning);
      }
    }
  }

  /** A new one, or one that goes on with the same settings and data. */
  private static AgentsDirectory open(Path directory, Beginning beginning) {
    boolean exists = Files.exists(directory);
    if (exists) {
      requireSame(directory, beginning);
    }
    try {
      Files.createDirectories(directory);
      AgentsDirectory opened = new AgentsDirectory(directory, beginning.agents());
      if (!exists) {
        Files.writeString(directory.resolve(DATA), Json.text(new TreeMap<>(beginning.data())));
      }
      Files.writeString(directory.resolve(CONFIG), YamlConfig.toStoredYaml(beginning.config()));
      return opened;
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the directory " + directory, failure);
    }
  }

  private static void requireSame(Path directory, Beginning beginning) {
    JsonNode before = data(directory);
    JsonNode now = Json.tree(beginning.data());
    if (!before.path("kind").equals(now.path("kind"))) {
      throw new UsageException(
          "%s exists and is no %s; choose another directory with --run"
              .formatted(directory, beginning.kind()));
    }
    requireSameSettings(directory, beginning);
    requireSameGrid(directory, before.path("grid"), now.path("grid"));
    if (!before.path("fingerprints").equals(now.path("fingerprints"))) {
      throw new DataException(
          "%s was begun with other data: fingerprints were %s, are %s; bring the old data back, or"
                  .formatted(directory, before.path("fingerprints"), now.path("fingerprints"))
              + " use another directory with --run");
    }
  }

  private static void requireSameSettings(Path directory, Beginning beginning) {
    JsonNode before = YamlConfig.toTree(RunDirectory.config(directory));
    List<String> changes =
        ConfigDiff.changes(before, beginning.config()).stream()
            .filter(change -> !beginning.free().contains(change.path()))
            .map(Object::toString)
            .toList();
    if (!changes.isEmpty()) {
      throw new UsageException(
          "%s was begun with other settings: %s; use those, or another directory with --run"
              .formatted(directory, String.join("; ", changes)));
    }
  }

  private static void requireSameGrid(Path directory, JsonNode before, JsonNode now) {
    if (!before.equals(now)) {
      throw new UsageException(
          "%s was begun with another grid: it was %s, is %s; use that, or another directory with"
                  .formatted(directory, before, now)
              + " --run");
    }
  }

  /** Nothing when it was not begun by us. */
  private static JsonNode data(Path directory) {
    Path file = directory.resolve(DATA);
    try {
      return Files.isRegularFile(file)
          ? Json.MAPPER.readTree(file.toFile())
          : MissingNode.getInstance();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** Held until {@link #close}: two processes would throw each other's attempts away. */
  private static FileChannel lock(Path directory) {
    Path file = directory.resolve("lock");
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() != null) {
        return channel;
      }
      channel.close();
    } catch (OverlappingFileLockException held) {
      // the same process; told below
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
    throw new UsageException(
        "another process is working in %s; wait for it, or choose another directory with --run"
            .formatted(directory));
  }

  Path path() {
    return directory;
  }

  String name() {
    return RunReport.name(directory);
  }

  /** Where the agent of a task has its run, once it is done. */
  Path run(String task) {
    return agents.resolve(task);
  }

  Path attempts() {
    return directory.resolve("attempts");
  }

  /** Makes a finished attempt, complete as if train had made it, the run of its agent. */
  void commit(TaskResult<?> result) {
    AtomicFiles.moveDirectory(result.directory(), run(result.name()));
    AtomicFiles.deleteDirectory(attempts().resolve(result.name()));
  }

  /** Writes a file of the result. */
  void write(String name, String content) {
    Path file = directory.resolve(name);
    try {
      Files.writeString(file, content);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** Writes the page of the result. */
  Path writeReport(String page) {
    return RunReport.write(directory.resolve("report.html"), page);
  }

  @Override
  public void close() {
    AtomicFiles.deleteDirectory(attempts());
    try {
      lock.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot release " + directory, failure);
    }
  }
}
