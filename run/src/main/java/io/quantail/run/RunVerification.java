package io.quantail.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.metrics.MetricRow;
import io.quantail.run.health.HealthMonitor;
import io.quantail.run.health.HealthRules;
import io.quantail.run.io.FileDigest;
import io.quantail.run.io.Json;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.run.metrics.TensorBoardWriter;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks all files of a run against the hashes in its snapshots and in {@code files.sha256}, and
 * against each other, without training.
 */
public final class RunVerification {
  /**
   * A file that is not as it was written.
   *
   * @param file its name in the run's directory
   * @param problem what is wrong
   * @param repair what {@link #repair} does about it; null if it can do nothing
   */
  public record Finding(String file, String problem, @Nullable String repair) {}

  private record Repair(String file, Runnable action) {}

  private final Path run;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Repair> repairs = new ArrayList<>();
  private boolean resultsDamaged;

  private RunVerification(Path run) {
    this.run = run;
  }

  /**
   * Checks a run.
   *
   * @param run its directory
   * @return what was found
   */
  public static RunVerification of(Path run) {
    RunVerification verification = new RunVerification(run);
    verification.check();
    return verification;
  }

  /** {@return what is wrong; empty if nothing is} */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** {@return whether results are damaged that resuming the finished run writes again} */
  public boolean needsEvaluation() {
    return resultsDamaged;
  }

  /** Does what the findings say; the caller holds the lock of the run. */
  public void repair() {
    Instant start = Instant.now();
    repairs.forEach(repair -> repair.action().run());
    if (!resultsDamaged && !repairs.isEmpty()) {
      FileSums.update(run, start);
    }
  }

  private void add(String file, String problem) {
    findings.add(new Finding(file, problem, null));
  }

  private void add(String file, String problem, String repair, Runnable action) {
    if (findings.stream().noneMatch(finding -> finding.file().equals(file))) {
      findings.add(new Finding(file, problem, repair));
      repairs.add(new Repair(file, action));
    }
  }

  private void check() {
    Optional<Snapshot> snapshot = checkSnapshots();
    RunConfig config = checkSettings();
    checkStatus();
    snapshot.ifPresent(this::checkUnchanged);
    boolean metrics = checkMetrics(snapshot);
    checkTimes(snapshot);
    if (metrics && config != null) {
      checkAlerts(config);
    }
    checkJson(RunLayout.RUN);
    FileSums.problems(run).forEach((name, problem) -> addChanged(name, problem, metrics));
    checkTensorBoard(metrics);
  }

  /** Returns the newest good snapshot. */
  private Optional<Snapshot> checkSnapshots() {
    Path directory = run.resolve(RunLayout.SNAPSHOTS);
    SnapshotStore store = new SnapshotStore(directory);
    for (Path snapshot : store.all()) {
      try {
        SnapshotStore.read(snapshot);
      } catch (SnapshotException damaged) {
        add(name(snapshot), String.valueOf(damaged.getMessage()));
      }
    }
    try {
      Optional<Snapshot> latest = store.latest();
      latest.stream()
          .flatMap(snapshot -> snapshot.problems().stream())
          .filter(problem -> problem.contains("LATEST"))
          .forEach(problem -> add(RunLayout.SNAPSHOTS + "/LATEST", problem));
      if (latest.isEmpty()) {
        add(RunLayout.SNAPSHOTS, "there is no snapshot");
      }
      return latest;
    } catch (SnapshotException noneIsGood) {
      add(RunLayout.SNAPSHOTS, "no snapshot is good");
      return Optional.empty();
    } finally {
      try {
        store.kept();
      } catch (SnapshotException damaged) {
        add(RunLayout.SNAPSHOTS + "/KEPT", String.valueOf(damaged.getMessage()));
      }
    }
  }

  private @Nullable RunConfig checkSettings() {
    try {
      return RunReader.config(run);
    } catch (ConfigException | UncheckedIOException damaged) {
      Optional<RunConfig> start = settingsAtStart();
      if (start.isEmpty()) {
        add(RunLayout.CONFIG, String.valueOf(damaged.getMessage()));
        return null;
      }
      add(
          RunLayout.CONFIG,
          String.valueOf(damaged.getMessage()),
          "written again from run.json",
          () ->
              AtomicFiles.write(
                  run.resolve(RunLayout.CONFIG), YamlConfig.toStoredYaml(start.get())));
      return start.get();
    }
  }

  private Optional<RunConfig> settingsAtStart() {
    try {
      return json(RunLayout.RUN)
          .map(start -> start.path("settings"))
          .filter(JsonNode::isObject)
          .map(settings -> YamlConfig.parse(settings.toString(), RunLayout.RUN, List.of()));
    } catch (ConfigException damaged) {
      return Optional.empty();
    }
  }

  private void checkStatus() {
    if (RunStatus.read(run).isEmpty()) {
      boolean done = Files.exists(run.resolve(RunLayout.RESULT));
      add(
          RunLayout.STATUS,
          Files.exists(run.resolve(RunLayout.STATUS)) ? "is damaged" : "is missing",
          "written again",
          () ->
              RunStatus.now(
                      done ? RunStatus.State.FINISHED : RunStatus.State.INTERRUPTED,
                      MetricCsv.lastUpdate(run.resolve(RunLayout.METRICS)),
                      Instant.now())
                  .write(run));
    }
  }

  /** Files that have been the same since the first snapshot. */
  private void checkUnchanged(Snapshot snapshot) {
    for (String name : List.of(RunLayout.RUN, RunLayout.SPACES, RunLayout.MARKET)) {
      FileDigest recorded = snapshot.manifest().logs().get(name);
      String problem = recorded == null ? null : ResumedFiles.problem(run.resolve(name), recorded);
      if (problem != null) {
        add(name, problem);
      }
    }
  }

  /** Returns whether all rows can be trusted. */
  private boolean checkMetrics(Optional<Snapshot> snapshot) {
    Path file = run.resolve(RunLayout.METRICS);
    FileDigest recorded =
        snapshot.map(good -> good.manifest().logs().get(RunLayout.METRICS)).orElse(null);
    String problem = recorded == null ? null : ResumedFiles.problem(file, recorded);
    if (problem != null) {
      add(RunLayout.METRICS, problem);
      return false;
    }
    if (!Files.isRegularFile(file)) {
      add(RunLayout.METRICS, "is missing");
      return false;
    }
    long good = goodBytes(file);
    try {
      if (good < Files.size(file)) {
        long cut = recorded == null ? good : Math.max(good, recorded.size());
        add(
            RunLayout.METRICS,
            String.format(
                Locale.ROOT, "has %d bytes at the end that are no rows", Files.size(file) - good),
            "these bytes are cut off",
            () -> MetricCsv.truncate(file, cut));
        return false;
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
    return true;
  }

  /** Number of bytes before the first line that is no row in order. */
  private static long goodBytes(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      long[] bad = {Long.MAX_VALUE};
      long end =
          MetricCsv.readMetrics(
              channel, 0, entry -> {}, offset -> bad[0] = Math.min(bad[0], offset));
      return Math.min(end, bad[0]);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  private void checkTimes(Optional<Snapshot> snapshot) {
    Path file = run.resolve(RunLayout.CLOCK);
    boolean matches = snapshot.stream().allMatch(good -> checkTimes(good.directory(), file));
    if (!matches) {
      add(RunLayout.CLOCK, "is not the file of the newest snapshot up to there");
      return;
    }
    for (Path other : new SnapshotStore(run.resolve(RunLayout.SNAPSHOTS)).all()) {
      if (!checkTimes(other, file)) {
        add(name(other) + "/clock.sha256", "is not of the times in clock.csv");
      }
    }
    if (Files.isRegularFile(file)) {
      try (FileChannel channel = FileChannel.open(file)) {
        long[] bad = {Long.MAX_VALUE};
        long end =
            MetricCsv.readClock(
                channel, 0, entry -> {}, offset -> bad[0] = Math.min(bad[0], offset));
        if (Math.min(end, bad[0]) < channel.size()) {
          long good = Math.min(end, bad[0]);
          add(
              RunLayout.CLOCK,
              "has lines that are no times",
              "cut before the first of them",
              () -> MetricCsv.truncate(file, good));
        }
      } catch (IOException failure) {
        throw new UncheckedIOException("cannot read " + file, failure);
      }
    }
  }

  /** Whether the times begin with those that were there when a snapshot was written. */
  private static boolean checkTimes(Path snapshot, Path file) {
    if (Files.notExists(snapshot.resolve("clock.sha256"))) {
      return true; // of an older format
    }
    return SnapshotStore.clock(snapshot)
        .filter(recorded -> ResumedFiles.problem(file, recorded) == null)
        .isPresent();
  }

  /** The alerts follow from the metrics. */
  private void checkAlerts(RunConfig config) {
    Path file = run.resolve(RunLayout.ALERTS);
    List<MetricRow> rows = RunReader.rows(run);
    String expected = HealthMonitor.alerts(HealthRules.of(config), rows);
    try {
      if (!Files.exists(file) || !Files.readString(file, StandardCharsets.UTF_8).equals(expected)) {
        add(
            RunLayout.ALERTS,
            "does not have the alerts that follow from metrics.csv",
            "written again from metrics.csv",
            () -> AtomicFiles.write(file, expected));
      }
    } catch (IOException damaged) {
      add(
          RunLayout.ALERTS,
          "cannot be read: " + damaged,
          "written again from metrics.csv",
          () -> AtomicFiles.write(file, expected));
    }
  }

  private void checkJson(String name) {
    if (json(name).isEmpty() && findings.stream().noneMatch(found -> found.file().equals(name))) {
      add(name, Files.exists(run.resolve(name)) ? "is no JSON" : "is missing");
    }
  }

  private Optional<JsonNode> json(String name) {
    try {
      JsonNode content = Json.MAPPER.readTree(Files.readAllBytes(run.resolve(name)));
      return content.isObject() ? Optional.of(content) : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  /** A file that is not the one whose hash was taken when the run ended. */
  private void addChanged(String name, String problem, boolean metrics) {
    if (name.startsWith(RunLayout.TENSORBOARD + "/")) {
      if (metrics) {
        addTensorBoard(name, problem);
      } else {
        add(name, problem);
      }
    } else if (findings.stream().noneMatch(finding -> finding.file().equals(name))) {
      boolean written = name.startsWith(RunLayout.FAULTS + "/") || !isResult(name);
      if (written) {
        add(name, problem);
      } else {
        findings.add(new Finding(name, problem, "written again by an evaluation"));
        resultsDamaged = true;
      }
    }
  }

  private static boolean isResult(String name) {
    return name.equals(RunLayout.RESULT)
        || name.equals(RunLayout.PARQUET)
        || name.equals(RunLayout.SUMS)
        || Stream.of("equity", "trades", "returns", "evidence", "report")
            .anyMatch(name::startsWith);
  }

  private void checkTensorBoard(boolean metrics) {
    Path directory = run.resolve(RunLayout.TENSORBOARD);
    if (metrics && Files.notExists(directory)) {
      addTensorBoard(RunLayout.TENSORBOARD, "is missing");
    }
  }

  private void addTensorBoard(String name, String problem) {
    boolean first = repairs.stream().noneMatch(repair -> repair.file().equals("events"));
    findings.add(new Finding(name, problem, "all events are written again from metrics.csv"));
    if (first) {
      repairs.add(new Repair("events", this::rewriteTensorBoard));
    }
  }

  private void rewriteTensorBoard() {
    Path directory = run.resolve(RunLayout.TENSORBOARD);
    AtomicFiles.deleteDirectory(directory);
    try (TensorBoardWriter events = new TensorBoardWriter(directory, Clock.systemUTC())) {
      RunReader.rows(run).forEach(events::write);
    }
  }

  private String name(Path file) {
    return run.relativize(file).toString().replace('\\', '/');
  }
}
