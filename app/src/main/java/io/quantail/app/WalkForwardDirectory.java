package io.quantail.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.config.RunSettings;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.walk.FoldFile;
import io.quantail.market.walk.FoldOutcome;
import io.quantail.market.walk.FoldTask;
import io.quantail.market.walk.WalkForwardResult;
import io.quantail.task.Directories;
import io.quantail.task.TaskResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A walk forward on disk: its settings, a run directory for each agent, and the result.
 *
 * <p>An agent appears under {@code folds} with one rename when it is done; what is half done lies
 * under {@code attempts} and is thrown away.
 */
final class WalkForwardDirectory implements AutoCloseable {
  private static final String CONFIG = "config.yaml";
  private static final String DATA = "data.json";

  /** They decide how much is done and how fast, not what comes out. */
  private static final Set<String> FREE = Set.of("training.threads", "market.walkforward.seeds");

  private final Path directory;
  private final FileChannel lock;

  private WalkForwardDirectory(Path directory) {
    this.directory = directory;
    this.lock = lock(directory);
    Directories.delete(attempts());
  }

  /** The first free directory {@code NAME-walkforward-001}, ... */
  static WalkForwardDirectory next(Path parent, ConfigSource source, List<Bars> bars) {
    for (int number = 1; ; number++) {
      Path candidate = parent.resolve("%s-walkforward-%03d".formatted(source.name(), number));
      if (Files.notExists(candidate)) {
        return open(candidate, source.config(), bars);
      }
    }
  }

  /** A new walk forward, or one that goes on with the same settings and data. */
  static WalkForwardDirectory open(Path directory, RunConfig config, List<Bars> bars) {
    List<String> data = bars.stream().map(Bars::fingerprint).toList();
    boolean exists = Files.exists(directory);
    if (exists) {
      requireSame(directory, config, data);
    }
    try {
      Files.createDirectories(directory);
      WalkForwardDirectory opened = new WalkForwardDirectory(directory);
      if (!exists) {
        Files.writeString(directory.resolve(DATA), Json.text(Map.of("fingerprints", data)));
      }
      Files.writeString(directory.resolve(CONFIG), ConfigLoader.toYaml(config));
      return opened;
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the directory " + directory, failure);
    }
  }

  private static void requireSame(Path directory, RunConfig config, List<String> data) {
    if (!Files.isRegularFile(directory.resolve(DATA))) {
      throw new UsageException(
          "%s exists and is no walk forward; choose another directory with --run"
              .formatted(directory));
    }
    JsonNode before = ConfigLoader.toTree(RunDirectory.config(directory));
    List<String> changes =
        RunSettings.changes(before, config).stream()
            .filter(change -> !FREE.contains(change.path()))
            .map(Object::toString)
            .toList();
    if (!changes.isEmpty()) {
      throw new UsageException(
          "%s was begun with other settings: %s; use those, or another directory with --run"
              .formatted(directory, String.join("; ", changes)));
    }
    List<String> fingerprints = fingerprints(directory.resolve(DATA));
    if (!fingerprints.equals(data)) {
      throw new DataException(
          "%s was begun with other data: fingerprints were %s, are %s; bring the old data back, or"
                  .formatted(directory, fingerprints, data)
              + " use another directory with --run");
    }
  }

  private static List<String> fingerprints(Path file) {
    try {
      JsonNode tree = new ObjectMapper().readTree(file.toFile()).path("fingerprints");
      return Stream.iterate(0, i -> i < tree.size(), i -> i + 1)
          .map(i -> tree.get(i).asText())
          .toList();
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

  Path report() {
    return directory.resolve("report.html");
  }

  Path attempts() {
    return directory.resolve("attempts");
  }

  private Path run(String task) {
    return directory.resolve("folds").resolve(task);
  }

  /** The outcome of a task, if it is there already. */
  Optional<FoldOutcome> find(FoldTask task) {
    return FoldFile.read(run(task.name()), task);
  }

  /** Makes a finished attempt the run of its agent, complete as if train had made it. */
  void commit(TaskResult<FoldOutcome> result) {
    Path attempt = result.directory();
    try {
      MarketVerdict verdict = new MarketVerdict(MarketPart.TEST, result.value().symbols());
      RunDirectory.complete(attempt, run(result.name()), result.value().steps(), verdict);
      Files.createDirectories(directory.resolve("folds"));
      Directories.delete(run(result.name()));
      Files.move(attempt, run(result.name()), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot keep the agent " + result.name(), failure);
    }
    Directories.delete(attempts().resolve(result.name()));
  }

  void write(WalkForwardNumbers numbers, WalkForwardResult result) {
    Path file = directory.resolve("walkforward.json");
    try {
      Files.writeString(file, Json.text(numbers));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
    StitchedCsv.write(directory.resolve("stitched.csv"), result);
  }

  @Override
  public void close() {
    Directories.delete(attempts());
    try {
      lock.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot release " + directory, failure);
    }
  }
}
