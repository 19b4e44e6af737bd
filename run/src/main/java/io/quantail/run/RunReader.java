package io.quantail.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.config.TrainingConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.metrics.MetricRow;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.evaluation.ValidationPass;
import io.quantail.run.health.AlertHistory;
import io.quantail.run.io.Json;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the settings of a run and the snapshot of the agent that it keeps, and restores the agent.
 *
 * @param directory of the run
 * @param config its settings
 * @param snapshot its newest good snapshot, or that of the best validation pass if {@code
 *     training.keep} is {@code best-validation}
 */
public record RunReader(Path directory, RunConfig config, Snapshot snapshot) {
  /** Files of a copied run were written in any order within this time. */
  private static final Duration COPYING = Duration.ofSeconds(2);

  /**
   * Opens a run. Refuses settings that were edited since the snapshot was written, except those
   * that may change.
   *
   * @param directory of the run
   * @param notes receives lines for the user: damaged snapshots, edited settings, a choice of the
   *     agent by validation
   * @return the run with the snapshot of its agent
   */
  public static RunReader open(Path directory, Consumer<String> notes) {
    RunConfig config = config(directory);
    Snapshot snapshot = agentSnapshot(directory, config, notes);
    ResumeCheck.requireSameConfig(directory, config, snapshot)
        .forEach(change -> notes.accept(change.toString()));
    return new RunReader(directory, config, snapshot);
  }

  /** {@return the scale that converts predictions of the agent's critics to returns} */
  public ReturnScale scale() {
    ReturnScaleTracker statistics = new ReturnScaleTracker(config.returns());
    statistics.load(snapshot.state().child("returns"));
    return statistics.scale();
  }

  /**
   * Restores the trained agent.
   *
   * @param environments in which it will act
   * @return the agent
   */
  public ActingModel agent(EnvironmentFactory environments) {
    return agent(config, snapshot, environments);
  }

  /**
   * Restores the agent of a snapshot.
   *
   * @param config settings of the run
   * @param snapshot of the run
   * @param environments in which the agent will act
   * @return the agent
   */
  public static ActingModel agent(
      RunConfig config, Snapshot snapshot, EnvironmentFactory environments) {
    try (VectorEnvironment sample = new VectorEnvironment(environments, 1, config.seed())) {
      AgentModel model = new AgentModel(config, sample.observationSpace(), sample.actionSpace());
      model.load(snapshot.state().child("agent"));
      return model.agent();
    }
  }

  /**
   * Tests whether a directory is that of a run.
   *
   * @param directory may be null
   * @return whether it contains the settings of a run
   */
  public static boolean isRun(Path directory) {
    return directory != null && Files.isRegularFile(directory.resolve(RunLayout.CONFIG));
  }

  /**
   * Reads the settings of a run.
   *
   * @param directory of the run
   * @return its settings
   */
  public static RunConfig config(Path directory) {
    if (!isRun(directory)) {
      throw new ConfigException(
          "%s is not a run: it has no %s; name a directory that train made"
              .formatted(directory, RunLayout.CONFIG));
    }
    return YamlConfig.loadStored(directory.resolve(RunLayout.CONFIG));
  }

  /**
   * Reads the newest good snapshot of a run.
   *
   * @param directory of the run
   * @return the snapshot
   * @throws ConfigException if the run has no snapshot yet
   */
  public static Snapshot snapshot(Path directory) {
    return snapshot(directory, good -> {});
  }

  /** Reads the newest good snapshot that a check accepts; see {@link SnapshotStore#latest}. */
  static Snapshot snapshot(Path directory, Consumer<Snapshot> check) {
    return new SnapshotStore(directory.resolve(RunLayout.SNAPSHOTS))
        .latest(check)
        .orElseThrow(
            () ->
                new ConfigException(
                    "the run " + directory + " has no snapshot yet; let it train a little longer"));
  }

  /**
   * Reads the snapshot of the agent that a run keeps.
   *
   * @param directory of the run
   * @param config its settings
   * @param notes receives lines for the user: damaged snapshots, a choice of the agent by
   *     validation
   * @return the newest good snapshot, or that of the best validation pass
   */
  public static Snapshot agentSnapshot(Path directory, RunConfig config, Consumer<String> notes) {
    boolean best = config.training().keep() == TrainingConfig.Keep.BEST_VALIDATION;
    Optional<Snapshot> kept =
        best ? new SnapshotStore(directory.resolve(RunLayout.SNAPSHOTS)).kept() : Optional.empty();
    Snapshot snapshot = kept.orElseGet(() -> snapshot(directory));
    snapshot.problems().forEach(notes);
    long update = snapshot.manifest().info().update();
    if (kept.isPresent()) {
      notes.accept(TrainedAgent.choice(update, trained(directory, config).validation()));
    } else if (best) {
      notes.accept(
          String.format(
              Locale.ROOT,
              "there was no validation pass yet, so this is the agent of update %d, the last",
              update));
    }
    return snapshot;
  }

  /**
   * Tells which agent a run keeps, and why its training ended.
   *
   * @param directory of the run
   * @param config its settings
   * @return the agent, from the recorded rows
   */
  public static TrainedAgent trained(Path directory, RunConfig config) {
    Path file = directory.resolve(RunLayout.METRICS);
    ValidationHistory passes = ValidationHistory.NONE;
    long updates = 0;
    long steps = 0;
    for (MetricCsv.Entry entry :
        Files.isRegularFile(file) ? MetricCsv.read(file) : List.<MetricCsv.Entry>of()) {
      updates = entry.update();
      steps = entry.steps();
      if (entry.metric().equals(ValidationPass.SCORE)) {
        passes = passes.with(updates, entry.value());
      }
    }
    return TrainedAgent.of(config.training(), updates, steps >= config.training().steps(), passes);
  }

  /**
   * Reads the result of a run that has nothing left to train and whose files are complete.
   *
   * @param directory of the run
   * @return the content of {@code result.json}; empty if {@code resume} has something to do: the
   *     training has not ended, a file of it is missing or damaged, or its settings were edited
   *     since
   */
  public static Optional<JsonNode> finalResult(Path directory) {
    RunConfig config = config(directory);
    Path file = directory.resolve(RunLayout.RESULT);
    Optional<RunStatus> status = RunStatus.read(directory);
    if (!Files.isRegularFile(file)
        || status.filter(one -> one.state() == RunStatus.State.FINISHED).isEmpty()
        || !RunVerification.of(directory).findings().isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode result = Json.MAPPER.readTree(file.toFile());
      Snapshot snapshot = snapshot(directory);
      TrainedAgent trained = trained(directory, config);
      Instant written = Files.getLastModifiedTime(file).toInstant().plus(COPYING);
      boolean edited =
          Files.getLastModifiedTime(directory.resolve(RunLayout.CONFIG))
              .toInstant()
              .isAfter(written);
      ResumeCheck.requireSameConfig(directory, config, snapshot);
      boolean whole =
          snapshot.problems().isEmpty() && snapshot.manifest().info().update() == trained.updates();
      return whole && !edited && trained.ended() != null && result.hasNonNull("evaluation")
          ? Optional.of(result)
          : Optional.empty();
    } catch (IOException | SnapshotException damaged) {
      return Optional.empty();
    }
  }

  /**
   * Reads the observations and actions of a run's agent.
   *
   * @param directory of the run
   * @return its spaces; empty if the run has no file of them
   */
  public static Optional<SpaceFile> spaces(Path directory) {
    Path file = directory.resolve(RunLayout.SPACES);
    try {
      return Files.isRegularFile(file)
          ? Optional.of(SpaceFile.parse(Files.readString(file)))
          : Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /**
   * Finds the observations and actions of a run's agent; where the run has no file of them, in an
   * environment that its settings name.
   *
   * @param directory of the run
   * @param config its settings
   * @return its spaces
   */
  public static SpaceFile spaces(Path directory, RunConfig config) {
    return spaces(directory)
        .orElseGet(
            () -> {
              try (VectorEnvironment sample =
                  new VectorEnvironment(EnvironmentRegistry.of(config), 1, config.seed())) {
                return new SpaceFile(sample.observationSpace(), sample.actionSpace());
              }
            });
  }

  /**
   * Reads the alerts of a run.
   *
   * @param directory of the run
   * @return its alerts; none if it has no file of alerts
   */
  public static AlertHistory alerts(Path directory) {
    Path file = directory.resolve(RunLayout.ALERTS);
    try {
      return Files.isRegularFile(file)
          ? AlertHistory.parse(Files.readString(file))
          : AlertHistory.NONE;
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  /** Recorded rows of a run, one per update, without their times. */
  static List<MetricRow> rows(Path directory) {
    Map<Long, Map<String, Double>> values = new TreeMap<>();
    Map<Long, Long> steps = new TreeMap<>();
    for (MetricCsv.Entry entry : MetricCsv.read(directory.resolve(RunLayout.METRICS))) {
      values
          .computeIfAbsent(entry.update(), update -> new TreeMap<>())
          .put(entry.metric(), entry.value());
      steps.put(entry.update(), entry.steps());
    }
    List<MetricRow> rows = new ArrayList<>();
    values.forEach(
        (update, row) ->
            rows.add(new MetricRow(update, Objects.requireNonNull(steps.get(update)), 0, row)));
    return rows;
  }
}
