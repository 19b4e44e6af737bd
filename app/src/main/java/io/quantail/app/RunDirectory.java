package io.quantail.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.checkpoint.Loaded;
import io.quantail.checkpoint.Retention;
import io.quantail.checkpoint.SnapshotException;
import io.quantail.checkpoint.SnapshotInfo;
import io.quantail.checkpoint.SnapshotStore;
import io.quantail.checkpoint.Versions;
import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.config.RunSettings;
import io.quantail.env.EnvironmentFault;
import io.quantail.health.Alert;
import io.quantail.health.Rules;
import io.quantail.market.data.DataException;
import io.quantail.metrics.MetricLog;
import io.quantail.metrics.MetricRow;
import io.quantail.metrics.MetricSink;
import io.quantail.metrics.TensorBoardSink;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A run on disk: settings, versions, metrics, TensorBoard events, snapshots and the result.
 *
 * <p>See {@code docs/runs.md} for what each file is.
 */
final class RunDirectory implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CONFIG = "config.yaml";
  static final String RUN = "run.json";
  private static final String SNAPSHOTS = "snapshots";
  static final String METRICS = "metrics.csv";
  static final String PARQUET = "metrics.parquet";
  static final String RESULT = "result.json";

  private final Path directory;
  private final RunConfig config;
  private final List<MetricSink> sinks;
  private final SnapshotStore snapshots;

  private RunDirectory(Path directory, RunConfig config, List<MetricSink> sinks) {
    this.directory = directory;
    this.config = config;
    this.sinks = sinks;
    this.snapshots = new SnapshotStore(directory.resolve(SNAPSHOTS), Retention.DEFAULT);
  }

  /** Refuses a directory that is taken or cannot be made, before any work is done. */
  static void requireFree(Path directory) {
    if (Files.exists(directory)) {
      throw taken(directory);
    }
    Path ancestor = directory.toAbsolutePath().getParent();
    while (!Files.exists(ancestor)) {
      ancestor = ancestor.getParent();
    }
    if (!Files.isDirectory(ancestor) || !Files.isWritable(ancestor)) {
      throw new UncheckedIOException(
          "cannot make the run directory " + directory,
          new IOException(ancestor + " is not a directory that can be written"));
    }
  }

  private static UsageException taken(Path directory) {
    return new UsageException(
        "the run directory "
            + directory
            + " exists; choose another with --run, or delete it first");
  }

  /** Starts a new run on disk, in a directory of its own. */
  static RunDirectory create(Path directory, RunConfig config) {
    try {
      make(directory);
    } catch (FileAlreadyExistsException raced) {
      throw taken(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make the run directory " + directory, failure);
    }
    return start(directory, config);
  }

  /** The same in the first free directory {@code name-001}, {@code name-002}, ... */
  static RunDirectory createNext(Path parent, String name, RunConfig config) {
    for (int number = 1; ; number++) {
      Path candidate = parent.resolve("%s-%03d".formatted(name, number));
      try {
        make(candidate);
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot make the run directory " + candidate, failure);
      }
      return start(candidate, config);
    }
  }

  /** Fails when it exists: of two runs that start at once, only one gets the directory. */
  private static void make(Path directory) throws IOException {
    Files.createDirectories(directory.toAbsolutePath().getParent());
    Files.createDirectory(directory);
  }

  private static RunDirectory start(Path directory, RunConfig config) {
    try {
      Files.writeString(directory.resolve(CONFIG), ConfigLoader.toYaml(config));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the run directory " + directory, failure);
    }
    writeBeginning(directory, config);
    return open(directory, config);
  }

  private static void writeBeginning(Path directory, RunConfig config) {
    writeJson(
        directory.resolve(RUN),
        Map.of(
            "seed", config.seed(),
            "configHash", hash(config),
            "settings", ConfigLoader.toTree(config),
            "versions", Versions.all(),
            "started", Clock.systemUTC().instant().toString()));
  }

  /**
   * Adds what only the command writes to a run that was trained elsewhere.
   *
   * @param place where the directory is going to be
   */
  static void complete(Path directory, Path place, long steps, EvaluationResult evaluation) {
    RunConfig config = config(directory);
    writeBeginning(directory, config);
    evaluation.write(directory);
    MetricsParquet.write(directory.resolve(METRICS), directory.resolve(PARQUET));
    List<Alert> alerts;
    try (AlertDesk desk = new AlertDesk(Rules.of(config), directory, rows(directory))) {
      alerts = desk.alerts();
    }
    RunReport.writeBeforeMoving(directory, place, config, evaluation);
    writeJson(
        directory.resolve(RESULT),
        new TrainingSession.Result(
            place.toString(),
            steps,
            Double.NaN,
            Double.NaN,
            evaluation,
            alerts,
            place.resolve(RunReport.fileName(evaluation)).toString()));
  }

  private static RunDirectory open(Path directory, RunConfig config) {
    return new RunDirectory(
        directory,
        config,
        List.of(
            new MetricLog(directory.resolve(METRICS)),
            new TensorBoardSink(directory.resolve("tensorboard"), Clock.systemUTC())));
  }

  /** Continues a run after the given update; rows written later are cut off. */
  static RunDirectory reopen(Path directory, RunConfig config, long update) {
    MetricLog.truncateAfter(directory.resolve(METRICS), update);
    forget(directory.resolve(PARQUET));
    return open(directory, config);
  }

  /** A copy of metrics that go on would be older than they are. */
  private static void forget(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete " + file, failure);
    }
  }

  /**
   * Refuses to continue with settings that give other numbers than those of the snapshot.
   *
   * @return the settings that have changed and may
   */
  static List<RunSettings.Change> requireSameConfig(
      Path directory, RunConfig config, Loaded snapshot) {
    List<RunSettings.Change> changes =
        RunSettings.changes(settingsAtStart(directory.resolve(RUN)), config);
    if (!snapshot.manifest().info().configHash().equals(RunSettings.hash(config))) {
      List<String> refused =
          changes.stream().filter(change -> !change.allowed()).map(Object::toString).toList();
      throw new UsageException(
          "%s has been changed since the snapshot was written%s; restore it, or start a new run"
              .formatted(
                  directory.resolve(CONFIG),
                  refused.isEmpty() ? "" : ": " + String.join("; ", refused)));
    }
    return changes.stream().filter(RunSettings.Change::allowed).toList();
  }

  /** As they were when the run began; empty when nobody knows any more. */
  private static JsonNode settingsAtStart(Path file) {
    try {
      return JSON.readTree(file.toFile()).path("settings");
    } catch (IOException unreadable) {
      return MissingNode.getInstance();
    }
  }

  /**
   * Refuses to continue with other data.
   *
   * @param fingerprint of the present data, null if there is none
   */
  static void requireSameData(Path directory, String fingerprint, Loaded snapshot) {
    String before = snapshot.manifest().info().dataFingerprint();
    if (!Objects.equals(before, fingerprint)) {
      throw new DataException(
          "the data of the run %s have changed: their fingerprint is %s, in the snapshot it is %s;"
                  .formatted(directory, fingerprint, before)
              + " bring the old data back, or start a new run");
    }
  }

  private static final String MAY_DIFFER = "results may differ from those of an undisturbed run";

  /** Which versions differ from those that wrote a snapshot; results may differ with them. */
  static List<String> otherVersions(Loaded snapshot) {
    Map<String, String> before = new TreeMap<>(snapshot.manifest().info().libraryVersions());
    List<String> differences = new ArrayList<>();
    Versions.all()
        .forEach(
            (name, now) -> {
              String was = before.remove(name);
              if (!now.equals(was)) {
                differences.add(
                    "the snapshot was written with %s %s, this is %s; %s"
                        .formatted(name, was == null ? "unknown" : was, now, MAY_DIFFER));
              }
            });
    if (!before.isEmpty()) {
      String gone =
          before.entrySet().stream()
              .map(version -> version.getKey() + " " + version.getValue())
              .collect(Collectors.joining(", "));
      differences.add(
          "the snapshot was written with %s, which this version does not use; %s"
              .formatted(gone, MAY_DIFFER));
    }
    return differences;
  }

  /** The rows that are on disk, one an update, without their times. */
  List<MetricRow> rows() {
    return rows(directory);
  }

  private static List<MetricRow> rows(Path directory) {
    Map<Long, Map<String, Double>> values = new TreeMap<>();
    Map<Long, Long> steps = new TreeMap<>();
    for (MetricLog.Entry entry : MetricLog.read(directory.resolve(METRICS))) {
      values
          .computeIfAbsent(entry.update(), update -> new TreeMap<>())
          .put(entry.metric(), entry.value());
      steps.put(entry.update(), entry.steps());
    }
    List<MetricRow> rows = new ArrayList<>();
    values.forEach((update, row) -> rows.add(new MetricRow(update, steps.get(update), 0, row)));
    return rows;
  }

  /** Whether a directory is that of a run. */
  static boolean isOne(Path directory) {
    return directory != null && Files.isRegularFile(directory.resolve(CONFIG));
  }

  /** The settings of a finished or running run. */
  static RunConfig config(Path directory) {
    if (!isOne(directory)) {
      throw new UsageException(
          directory + " is not a run: it has no " + CONFIG + "; name a directory that train made");
    }
    return ConfigLoader.load(directory.resolve(CONFIG), List.of());
  }

  /** The newest good snapshot of a run. */
  static Loaded latestSnapshot(Path directory) {
    return new SnapshotStore(directory.resolve(SNAPSHOTS), Retention.DEFAULT)
        .latest()
        .orElseThrow(
            () ->
                new UsageException(
                    "the run " + directory + " has no snapshot yet; let it train a little longer"));
  }

  Path path() {
    return directory;
  }

  void write(MetricRow row) {
    sinks.forEach(sink -> sink.write(row));
  }

  /**
   * @param dataFingerprint of the data the environments are made of; null if there are none
   */
  void snapshot(StateMap state, long update, long steps, String dataFingerprint) {
    snapshots.write(
        state,
        new SnapshotInfo(
            update, steps, null, RunSettings.hash(config), dataFingerprint, Versions.all()));
  }

  /** The update of the newest good snapshot; empty when there is none. */
  Optional<Long> lastGoodUpdate() {
    try {
      return snapshots.latest().map(loaded -> loaded.manifest().info().update());
    } catch (SnapshotException noneIsGood) {
      return Optional.empty();
    }
  }

  /** Keeps how an environment failed, to be seen again with {@code replay}. */
  Path write(EnvironmentFault fault) {
    return FaultFile.of(
            config.environment().name(), config.environment().faults().stepDeadlineSeconds(), fault)
        .writeTo(directory.resolve("faults"));
  }

  void writeResult(Object result) {
    writeJson(directory.resolve(RESULT), result);
  }

  private static void writeJson(Path file, Object value) {
    try {
      Files.writeString(file, Json.text(value));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static String hash(RunConfig config) {
    try {
      byte[] yaml = ConfigLoader.toYaml(config).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(yaml));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {
    sinks.forEach(MetricSink::close);
    MetricsParquet.write(directory.resolve(METRICS), directory.resolve(PARQUET));
  }
}
