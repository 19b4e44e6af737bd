package io.quantail.run;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.io.AtomicFiles;
import io.quantail.metrics.MetricRow;
import io.quantail.run.health.HealthMonitor;
import io.quantail.run.health.HealthRules;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import io.quantail.run.io.Json;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.run.metrics.MetricSink;
import io.quantail.run.metrics.TensorBoardWriter;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Manifest;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.StateMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of one training: settings, versions, status, metrics, TensorBoard events,
 * snapshots, recorded faults and the result. {@link RunLayout} has their names, {@code
 * docs/reference/file-formats.md} describes them.
 */
public final class RunDirectory implements AutoCloseable {
  private static final long STATUS_NANOS = 1_000_000_000L;

  /** The purpose of a directory. */
  private enum Kind {
    /** A run that can be resumed where it is. */
    RUN,
    /** A task's attempt, which becomes a run when it succeeds. */
    ATTEMPT,
    /** A training that leaves no files; its snapshots stay in memory. */
    MEMORY,
    /** A task's attempt that leaves metrics and a snapshot only, in files without times. */
    MEMBER
  }

  private final Kind kind;
  private final Path directory;
  private final Path destination;
  private final RunConfig config;
  private final DurableFiles files;
  private final Map<String, FileDigest> settled = new TreeMap<>(); // files that do not change
  private final List<MetricSink> sinks;
  private @Nullable HealthMonitor health; // null before the training starts
  private @Nullable Instant started; // null before the first status
  private final SnapshotStore snapshots;
  private @Nullable Snapshot kept; // of a training without files
  private boolean hasSnapshot;
  private long lastStatus;
  private boolean filesClosed;
  private final @Nullable DirectoryLock lock; // null where another directory's lock counts

  private RunDirectory(
      Kind kind,
      Path directory,
      Path destination,
      RunConfig config,
      @Nullable DirectoryLock lock,
      DurableFiles files) {
    this.lock = lock;
    this.files = files;
    this.kind = kind;
    this.directory = directory;
    this.destination = destination;
    this.config = config;
    Path metrics = directory.resolve(RunLayout.METRICS);
    this.sinks =
        switch (kind) {
          case MEMORY -> List.of();
          case MEMBER -> List.of(new MetricCsv(metrics, null, files));
          case RUN, ATTEMPT ->
              List.of(
                  new MetricCsv(metrics, Clock.systemUTC(), files),
                  new TensorBoardWriter(
                      directory.resolve(RunLayout.TENSORBOARD), Clock.systemUTC()));
        };
    this.snapshots = new SnapshotStore(directory.resolve(RunLayout.SNAPSHOTS), files);
  }

  /**
   * Refuses a directory that exists or cannot be created, before any work is done.
   *
   * @param directory of the new run
   * @throws ConfigException if it exists
   */
  public static void requireFree(Path directory) {
    if (!canBegin(directory)) {
      throw taken(directory);
    }
    Path ancestor = Objects.requireNonNull(directory.toAbsolutePath().getParent());
    while (!Files.exists(ancestor)) {
      ancestor = Objects.requireNonNull(ancestor.getParent());
    }
    if (!Files.isDirectory(ancestor) || !Files.isWritable(ancestor)) {
      throw new UncheckedIOException(
          "cannot make the run directory " + directory,
          new IOException(ancestor + " is not a directory that can be written"));
    }
  }

  private static boolean canBegin(Path directory) {
    return RunLayout.isFree(directory) || isAbandoned(directory);
  }

  /**
   * Tests whether the process of a run ended before it wrote the first snapshot, so that the run
   * can only start anew.
   *
   * @param directory of the run
   * @return whether it has settings, or nothing but files of a run, and neither snapshots nor a
   *     result nor rows of metrics after the first update
   */
  public static boolean isAbandoned(Path directory) {
    return (RunReader.isRun(directory) || RunLayout.hasOnlyFirstFiles(directory))
        && Stream.of(RunLayout.RESULT, RunLayout.PARQUET, RunLayout.REPORT, RunLayout.STUDY)
            .allMatch(name -> Files.notExists(directory.resolve(name)))
        && !SnapshotStore.hasAny(directory.resolve(RunLayout.SNAPSHOTS))
        && MetricCsv.lastUpdate(directory.resolve(RunLayout.METRICS)) <= 1;
  }

  private static ConfigException taken(Path directory) {
    return new ConfigException(
        "the run directory %s exists; choose another with --run, or delete it first"
            .formatted(directory));
  }

  /**
   * Starts a new run in a directory that does not exist yet, or whose run never began.
   *
   * @param directory of the run
   * @param config its settings
   * @return the open directory
   * @throws ConfigException if the directory exists
   */
  public static RunDirectory create(Path directory, RunConfig config) {
    return create(directory, config, List.of());
  }

  /**
   * Starts a new run with the agent of another one in a directory that does not exist yet.
   *
   * @param directory of the run
   * @param config its settings
   * @param ancestors of its agent, the nearest first; empty if its weights are new
   * @return the open directory
   * @throws ConfigException if the directory exists
   */
  public static RunDirectory create(Path directory, RunConfig config, List<Ancestor> ancestors) {
    return create(directory, config, ancestors, new DurableFiles());
  }

  /** Starts a new run whose files are written in a given way. */
  static RunDirectory create(
      Path directory, RunConfig config, List<Ancestor> ancestors, DurableFiles files) {
    try {
      make(directory, files);
    } catch (FileAlreadyExistsException exists) {
      if (!canBegin(directory)) {
        throw taken(directory);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make the run directory " + directory, failure);
    }
    return startLocked(directory, config, ancestors, DirectoryLock.acquire(directory), files);
  }

  /**
   * Starts a run anew whose process ended before the first snapshot.
   *
   * @param config its settings
   * @param lock of its directory, which is closed with the run
   * @return the open directory
   */
  static RunDirectory restart(
      Path directory, RunConfig config, DirectoryLock lock, DurableFiles files) {
    return startLocked(directory, config, List.of(), lock, files);
  }

  private static RunDirectory startLocked(
      Path directory,
      RunConfig config,
      List<Ancestor> ancestors,
      DirectoryLock lock,
      DurableFiles files) {
    try {
      if (!canBegin(directory)) {
        throw taken(directory); // another process was faster
      }
      RunLayout.FIRST_FILES.forEach(name -> AtomicFiles.delete(directory.resolve(name)));
      return start(Kind.RUN, directory, directory, config, ancestors, lock, files);
    } catch (RuntimeException | Error failure) {
      lock.close();
      throw failure;
    }
  }

  /**
   * Starts a new run in the first free directory {@code name-001}, {@code name-002}, …
   *
   * @param parent directory of the runs
   * @param name first part of the directory's name
   * @param config settings of the run
   * @return the open directory
   */
  public static RunDirectory createNext(Path parent, String name, RunConfig config) {
    return createNext(parent, name, config, List.of());
  }

  /**
   * Starts a new run with the agent of another one in the first free directory {@code name-001},
   * {@code name-002}, …
   *
   * @param parent directory of the runs
   * @param name first part of the directory's name
   * @param config settings of the run
   * @param ancestors of its agent, the nearest first; empty if its weights are new
   * @return the open directory
   */
  public static RunDirectory createNext(
      Path parent, String name, RunConfig config, List<Ancestor> ancestors) {
    for (int number = 1; ; number++) {
      Path candidate = parent.resolve(String.format(Locale.ROOT, "%s-%03d", name, number));
      try {
        make(candidate, new DurableFiles());
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot make the run directory " + candidate, failure);
      }
      return startLocked(
          candidate, config, ancestors, DirectoryLock.acquire(candidate), new DurableFiles());
    }
  }

  /**
   * Starts a run in the directory of a task's attempt.
   *
   * @param attempt existing directory of the attempt
   * @param destination directory to which the run is moved when it is finished
   * @param config settings of the run
   * @return the open directory
   */
  public static RunDirectory ofAttempt(Path attempt, Path destination, RunConfig config) {
    return start(Kind.ATTEMPT, attempt, destination, config, List.of(), null, new DurableFiles());
  }

  /**
   * Starts the training of a population's member, which leaves metrics and a snapshot only.
   *
   * @param attempt existing directory of the attempt
   * @param config settings of the member
   * @return the open directory
   */
  public static RunDirectory ofMember(Path attempt, RunConfig config) {
    return new RunDirectory(Kind.MEMBER, attempt, attempt, config, null, new DurableFiles());
  }

  /**
   * Stands for the directory of a training that leaves no files.
   *
   * @param config settings of the training
   * @return a directory that keeps the best snapshot in memory
   */
  public static RunDirectory inMemory(RunConfig config) {
    Path none = Path.of("memory");
    return new RunDirectory(Kind.MEMORY, none, none, config, null, new DurableFiles());
  }

  /**
   * Continues a run after a snapshot; what came after it is removed from its files.
   *
   * @param directory of the run
   * @param config its settings
   * @param snapshot from which the run resumes
   * @return the open directory
   */
  public static RunDirectory reopen(Path directory, RunConfig config, Snapshot snapshot) {
    return reopen(
        directory,
        config,
        snapshot,
        DirectoryLock.acquire(directory),
        note -> {},
        new DurableFiles());
  }

  /** Continues a run after a snapshot; the lock of its directory is closed with it. */
  static RunDirectory reopen(
      Path directory,
      RunConfig config,
      Snapshot snapshot,
      DirectoryLock lock,
      Consumer<String> notes,
      DurableFiles files) {
    ResumedFiles.cut(directory, snapshot, notes);
    return resumed(new RunDirectory(Kind.RUN, directory, directory, config, lock, files));
  }

  /**
   * Continues a run in the directory of a task's attempt, with a copy of its files.
   *
   * @param before directory of the run, which stays as it is
   * @param attempt existing directory of the attempt
   * @param destination directory to which the run is moved when it is finished
   * @param config settings of the run
   * @param snapshot from which the run resumes
   * @return the open directory
   */
  public static RunDirectory continueAttempt(
      Path before, Path attempt, Path destination, RunConfig config, Snapshot snapshot) {
    try (Stream<Path> files = Files.walk(before)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = attempt.resolve(before.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot copy the run " + before, failure);
    }
    ResumedFiles.cut(attempt, snapshot, note -> {});
    return resumed(
        new RunDirectory(Kind.ATTEMPT, attempt, destination, config, null, new DurableFiles()));
  }

  private static RunDirectory resumed(RunDirectory run) {
    run.hasSnapshot = true;
    return run;
  }

  /** Fails if the directory exists: of two runs that start at once, only one gets it. */
  private static void make(Path directory, DurableFiles files) throws IOException {
    Files.createDirectories(directory.toAbsolutePath().getParent());
    files.createDirectory(directory);
  }

  private static RunDirectory start(
      Kind kind,
      Path directory,
      Path destination,
      RunConfig config,
      List<Ancestor> ancestors,
      @Nullable DirectoryLock lock,
      DurableFiles files) {
    // Without times, so that equal runs have equal files.
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("seed", config.seed());
    run.put("configHash", ConfigDiff.hash(config));
    run.put("settings", YamlConfig.toTree(config));
    run.put("versions", Versions.all());
    if (!ancestors.isEmpty()) {
      run.put(Ancestor.FIELD, ancestors);
    }
    try {
      files.replace(
          directory.resolve(RunLayout.RUN), Json.text(run).getBytes(StandardCharsets.UTF_8));
      // Last: a directory with settings is a run.
      files.replace(
          directory.resolve(RunLayout.CONFIG),
          YamlConfig.toStoredYaml(config).getBytes(StandardCharsets.UTF_8));
      files.forceDirectory(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write the run directory " + directory, failure);
    }
    return new RunDirectory(kind, directory, destination, config, lock, files);
  }

  /** {@return whether the training leaves files} */
  public boolean hasFiles() {
    return kind != Kind.MEMORY;
  }

  /** {@return the directory that contains the files now} */
  public Path path() {
    return directory;
  }

  /** {@return the directory that contains the files when the run is finished} */
  public Path destination() {
    return destination;
  }

  /** {@return the settings of the run as they are on disk} */
  public RunConfig config() {
    return config;
  }

  /** Whether {@code resume} can continue this run. */
  boolean isResumable() {
    return kind == Kind.RUN;
  }

  /** Rows that were recorded before a run was resumed. */
  List<MetricRow> earlierRows() {
    return hasFiles() ? RunReader.rows(directory) : List.of();
  }

  /**
   * Creates the health monitor of the run, with the alerts of earlier rows.
   *
   * @param earlier rows that were recorded before a run was resumed
   * @return the monitor; the caller closes it
   */
  public HealthMonitor health(List<MetricRow> earlier) {
    HealthRules rules = HealthRules.of(config);
    health =
        kind == Kind.MEMBER || kind == Kind.MEMORY
            ? new HealthMonitor(rules)
            : new HealthMonitor(rules, directory.resolve(RunLayout.ALERTS), earlier, files);
    return health;
  }

  /**
   * Records an update.
   *
   * @param row metrics of the update
   */
  public void write(MetricRow row) {
    sinks.forEach(sink -> sink.write(row));
    if (System.nanoTime() - lastStatus >= STATUS_NANOS) {
      writeStatus(RunStatus.State.RUNNING, row.update());
    }
  }

  /** Replaces {@code status.json}. */
  void writeStatus(RunStatus.State state, long update) {
    if (kind != Kind.MEMBER && hasFiles()) {
      if (started == null) {
        started = RunStatus.read(directory).map(RunStatus::started).orElseGet(Instant::now);
      }
      RunStatus.now(state, update, started).write(directory);
      lastStatus = System.nanoTime();
    }
  }

  /**
   * Writes a snapshot.
   *
   * @param state of the trainer
   * @param update number of updates done
   * @param steps number of environment steps done
   * @param dataFingerprint of the data of the environments; null if there are none
   * @return the written snapshot
   */
  public Snapshot snapshot(
      StateMap state, long update, long steps, @Nullable String dataFingerprint) {
    SnapshotInfo info =
        new SnapshotInfo(
            update, steps, ConfigDiff.resumeHash(config), dataFingerprint, Versions.all());
    if (lock != null) {
      lock.requireHeld();
    }
    hasSnapshot = true;
    if (!hasFiles()) {
      return new Snapshot(directory, state, new Manifest(info, Map.of(), Map.of(), ""), List.of());
    }
    Map<String, FileDigest> logs = settle();
    sinks.forEach(sink -> logs.putAll(sink.force()));
    if (health != null) {
      health.force().ifPresent(alerts -> logs.put(RunLayout.ALERTS, alerts));
    }
    return snapshots.write(state, info, logs, logs.remove(RunLayout.CLOCK));
  }

  /** Makes the files durable that do not change any more, when the first snapshot is written. */
  private Map<String, FileDigest> settle() {
    if (settled.isEmpty() && kind != Kind.MEMBER) {
      try {
        for (String name :
            List.of(RunLayout.CONFIG, RunLayout.RUN, RunLayout.SPACES, RunLayout.MARKET)) {
          Path file = directory.resolve(name);
          if (Files.exists(file)) {
            files.force(file);
            settled.put(name, FileDigest.of(file));
          }
        }
        settled.remove(RunLayout.CONFIG); // may be edited
        files.forceDirectory(directory);
        files.forceDirectory(Objects.requireNonNull(directory.toAbsolutePath().getParent()));
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot write " + directory, failure);
      }
    }
    return new TreeMap<>(settled);
  }

  /** Keeps a snapshot of this run as that of the best validation pass. */
  void keep(Snapshot best) {
    if (hasFiles()) {
      snapshots.keep(best);
    } else {
      kept = best;
    }
  }

  /** {@return the snapshot of the best validation pass} */
  public Snapshot kept() {
    return Optional.ofNullable(kept)
        .or(snapshots::kept)
        .orElseThrow(
            () ->
                new SnapshotException(directory.resolve(RunLayout.SNAPSHOTS), "keeps no snapshot"));
  }

  /**
   * Keeps the snapshot of the best validation pass before the run was resumed, also if the process
   * was killed before it did.
   */
  void requireKept(long update) {
    Snapshot best =
        snapshots
            .ofUpdate(update)
            .orElseThrow(
                () ->
                    new ConfigException(
                        String.format(
                            Locale.ROOT,
                            "training.keep best-validation needs the agent of update %d, the best"
                                + " on the validation bars so far, and %s has no good snapshot of"
                                + " it; set training.keep to last, or start a new run",
                            update,
                            directory.resolve(RunLayout.SNAPSHOTS))));
    snapshots.keep(best);
  }

  /** Whether a snapshot was written, by this process or before the run was resumed. */
  boolean hasSnapshot() {
    return hasSnapshot;
  }

  /** Update of the newest good snapshot; empty if there is none. */
  Optional<Long> lastGoodUpdate() {
    try {
      return snapshots.latest().map(loaded -> loaded.manifest().info().update());
    } catch (SnapshotException noneIsGood) {
      return Optional.empty();
    }
  }

  /** Records a failure of an environment for {@code replay}. */
  Path write(EnvironmentFault fault) {
    return FaultFile.of(
            config.environment().name(), config.environment().faults().stepDeadlineSeconds(), fault)
        .writeTo(directory.resolve(RunLayout.FAULTS));
  }

  /** Writes the result of an evaluated training. */
  void write(RunResult result) {
    if (kind != Kind.MEMBER && hasFiles()) {
      writeJson(directory.resolve(RunLayout.RESULT), result);
    }
  }

  /**
   * Records the observations and actions of the agent, so that it can be loaded without its
   * environments, and refuses to resume a run with others.
   *
   * @param spaces of the agent
   * @throws ConfigException if the run was trained with other spaces
   */
  public void write(SpaceFile spaces) {
    if (kind != Kind.MEMBER && hasFiles()) {
      RunReader.spaces(directory).ifPresent(spaces::requireSame);
      Path file = directory.resolve(RunLayout.SPACES);
      try {
        files.replace(file, spaces.toJson().getBytes(StandardCharsets.UTF_8));
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot write " + file, failure);
      }
    }
  }

  private static void writeJson(Path file, Object value) {
    try {
      AtomicFiles.write(file, Json.text(value));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** Records the hashes of all files of a finished run; they change again until the next end. */
  void seal(RunStatus.State state) {
    boolean complete = kind == Kind.RUN || kind == Kind.ATTEMPT;
    if (complete && state == RunStatus.State.FINISHED) {
      FileSums.write(directory);
    }
  }

  /** Closes the files of metrics; may be called again. */
  void closeMetrics() {
    if (!filesClosed) {
      filesClosed = true;
      sinks.forEach(MetricSink::close);
    }
  }

  /** Closes all files and lets other processes write in the directory; may be called again. */
  @Override
  public void close() {
    try {
      closeMetrics();
    } finally {
      if (lock != null) {
        lock.close();
      }
    }
  }
}
