package io.quantail.app.runs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.RunStatus;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.Json;
import io.quantail.study.directory.StudyDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run or a study on disk, as a list shows it.
 *
 * @param run directory
 * @param kind what was trained
 * @param state of the training
 * @param environment name of the environment; empty if unknown
 * @param seed of a run; null for a study or if unknown
 * @param steps environment steps of a finished run; null otherwise
 * @param agents finished agents of a study; null for a run
 * @param result return of the evaluation, on a market net of costs as a fraction; null without one
 * @param market whether the agent trades on a market
 * @param limit {@code kept}, {@code broken} or {@code undecided}; null without a limit
 * @param changed when its training was last seen
 */
public record StoredRun(
    String run,
    Kind kind,
    State state,
    String environment,
    @Nullable Long seed,
    @Nullable Long steps,
    @Nullable Integer agents,
    @Nullable Double result,
    boolean market,
    @Nullable String limit,
    String changed) {
  /** A training that was not heard of for longer does not run any more, if its process is gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What a directory contains. */
  public enum Kind {
    RUN,
    SWEEP,
    WALKFORWARD,
    POPULATION
  }

  /** State of a training. */
  public enum State {
    RUNNING,
    FINISHED,
    INTERRUPTED,
    FAILED
  }

  /** All runs and studies in a directory, by name. */
  public static List<StoredRun> in(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .sorted(Comparator.comparing(Path::getFileName))
          .flatMap(entry -> read(entry).stream())
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the directory " + directory, failure);
    }
  }

  /** The run or study in a directory; empty if there is none. */
  public static Optional<StoredRun> read(Path directory) {
    return kind(directory).map(kind -> read(directory, kind));
  }

  private static Optional<Kind> kind(Path directory) {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (Files.isRegularFile(directory.resolve(RunLayout.JOURNAL))) {
      return Optional.of(Kind.POPULATION);
    }
    Optional<String> study = StudyDirectory.kind(directory);
    if (study.isPresent()) {
      return Optional.of(study.get().equals("sweep") ? Kind.SWEEP : Kind.WALKFORWARD);
    }
    return RunReader.isRun(directory) && Files.isRegularFile(directory.resolve(RunLayout.RUN))
        ? Optional.of(Kind.RUN)
        : Optional.empty();
  }

  private static StoredRun read(Path directory, Kind kind) {
    JsonNode result = kind == Kind.RUN ? json(directory.resolve(RunLayout.RESULT)) : missing();
    JsonNode settings = settings(directory, kind);
    JsonNode evaluation = result.path("evaluation");
    JsonNode total = evaluation.path("totalReturn");
    JsonNode score = total.isNumber() ? total : evaluation.path("meanReturn");
    JsonNode seed = settings.path("seed");
    JsonNode limit = result.path("limit").path("status");
    return new StoredRun(
        directory.toString(),
        kind,
        state(directory, kind),
        settings.path("environment").path("name").asText(""),
        kind == Kind.RUN && seed.canConvertToLong() ? seed.longValue() : null,
        result.path("steps").isNumber() ? result.path("steps").longValue() : null,
        kind == Kind.RUN ? null : agents(directory, kind),
        score.isNumber() ? score.doubleValue() : null,
        total.isNumber(),
        limit.textValue(),
        changed(directory).toString());
  }

  private static JsonNode settings(Path directory, Kind kind) {
    if (kind != Kind.RUN) {
      return firstAgent(directory, kind)
          .map(agent -> json(agent.resolve(RunLayout.RUN)).path("settings"))
          .orElse(missing());
    }
    return json(directory.resolve(RunLayout.RUN)).path("settings");
  }

  private static JsonNode json(Path file) {
    try {
      return Files.isRegularFile(file) ? Json.MAPPER.readTree(file.toFile()) : missing();
    } catch (IOException damaged) {
      return missing();
    }
  }

  private static JsonNode missing() {
    return MissingNode.getInstance();
  }

  private static Path agentsDirectory(Path directory, Kind kind) {
    return directory.resolve(
        switch (kind) {
          case SWEEP -> RunLayout.SWEEP_RUNS;
          case WALKFORWARD -> RunLayout.FOLDS;
          case POPULATION -> RunLayout.MEMBERS;
          case RUN -> "";
        });
  }

  private static Optional<Path> firstAgent(Path directory, Kind kind) {
    if (kind == Kind.POPULATION) {
      return Optional.of(directory.resolve(RunLayout.BEST));
    }
    return children(agentsDirectory(directory, kind)).stream().findFirst();
  }

  private static int agents(Path directory, Kind kind) {
    return children(agentsDirectory(directory, kind)).size();
  }

  private static List<Path> children(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(Files::isDirectory).sorted().toList();
    } catch (IOException missing) {
      return List.of();
    }
  }

  private static State state(Path directory, Kind kind) {
    if (inProgress(directory, kind)) {
      return State.RUNNING;
    }
    if (kind != Kind.RUN) {
      return Files.isRegularFile(directory.resolve(RunLayout.REPORT))
          ? State.FINISHED
          : State.INTERRUPTED;
    }
    Optional<RunStatus> status = RunStatus.read(directory);
    boolean hasResult = Files.isRegularFile(directory.resolve(RunLayout.RESULT));
    if (status.isEmpty()) {
      return hasResult ? State.FINISHED : State.INTERRUPTED;
    }
    return switch (status.get().state()) {
      case FINISHED -> State.FINISHED;
      case FAILED -> State.FAILED;
      case RUNNING, INTERRUPTED -> State.INTERRUPTED;
    };
  }

  /** Whether a process writes into a directory, or may do so on another machine. */
  private static boolean inProgress(Path directory, Kind kind) {
    Optional<RunStatus> status = kind == Kind.RUN ? RunStatus.read(directory) : Optional.empty();
    boolean running =
        status
            .filter(one -> one.state() == RunStatus.State.RUNNING)
            .filter(StoredRun::isAlive)
            .isPresent();
    return running || DirectoryLock.isHeld(directory);
  }

  private static boolean isAlive(RunStatus status) {
    return ProcessHandle.of(status.processId()).isPresent() || isRecent(status.time());
  }

  private static boolean isRecent(Instant time) {
    return time.isAfter(Instant.now().minus(PATIENCE));
  }

  private static Instant changed(Path directory) {
    return RunStatus.read(directory).map(RunStatus::time).orElseGet(() -> modified(directory));
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException gone) {
      return Instant.EPOCH;
    }
  }

  /** The name of the directory. */
  public String name() {
    return Path.of(run).toAbsolutePath().normalize().getFileName().toString();
  }

  /** The kind or state as it is written. */
  public static String written(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
