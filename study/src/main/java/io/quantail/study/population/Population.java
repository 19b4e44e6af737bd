package io.quantail.study.population;

import io.quantail.config.ConfigException;
import io.quantail.config.ConfigExtensions;
import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.io.AtomicFiles;
import io.quantail.random.RandomStream;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunLayout;
import io.quantail.run.SpaceFile;
import io.quantail.run.evaluation.EvaluationProtocol;
import io.quantail.run.io.DirectoryLock;
import io.quantail.run.io.Json;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.study.directory.JournalFile;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Population-based training: trains many agents in generations; after each generation low-scoring
 * members copy high-scoring ones and perturb their hyper-parameters.
 *
 * <p>Members are tasks that may run anywhere and leave their snapshots in directories of their
 * attempts. Only this class commits: it moves a snapshot into the directory of its member and then
 * writes the {@link PopulationJournal}. A population that was stopped in any way resumes from the
 * journal when it is run again on the same directory, and ends with the same numbers.
 *
 * <p>See: Jaderberg et al., "Population based training of neural networks", 2017, arXiv:1711.09846.
 */
public final class Population implements AutoCloseable {
  /** Rounds in which failed members are repeated while too few members have a score. */
  private static final int PATIENCE = 3;

  private static final int MINIMUM = 2;
  private static final int GENERATIONS_KEPT = 2;

  private final PopulationConfig config;
  private final Path directory;
  private final @Nullable EnvironmentFactory environments;
  private final String memberYaml;
  private final long seed;
  private final GenerationPlanner planner;
  private final DirectoryLock lock;
  private final JournalFile<JournalEntry> journal;

  /**
   * Takes the directory of a population, which no other process can use until it is closed.
   *
   * @param run settings with a section {@code population}
   * @param directory of the population; one that exists is resumed
   */
  public Population(RunConfig run, Path directory) {
    this(run, directory, null);
  }

  /**
   * @param run settings with a section {@code population}
   * @param directory of the population; one that exists is resumed
   * @param environments in which members train; null for those that the settings name
   */
  public Population(RunConfig run, Path directory, @Nullable EnvironmentFactory environments) {
    this.environments = environments;
    config =
        run.modules()
            .find(PopulationConfig.class)
            .orElseThrow(
                () ->
                    new ConfigException(
                        "the configuration has no section population; add one, for example"
                            + " population: {size: 8, generations: 10}"));
    run.training()
        .requireNoValidation("is not possible in a population, which scores the last agents");
    this.directory = directory;
    seed = run.seed();
    RunConfig base = withoutPopulation(run, config.totalSteps());
    memberYaml = YamlConfig.toYaml(base);
    planner = new GenerationPlanner(config, HyperparameterSpace.of(base, config), seed);
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot make the directory " + directory, failure);
    }
    lock = DirectoryLock.acquire(directory);
    try {
      journal = PopulationJournal.open(directory.resolve(RunLayout.JOURNAL), run, config);
    } catch (RuntimeException refused) {
      lock.close();
      throw refused;
    }
  }

  /** Lets other processes use the directory. */
  @Override
  public void close() {
    lock.close();
  }

  /** The settings that all members share. */
  private static RunConfig withoutPopulation(RunConfig run, long steps) {
    Map<String, Record> others = new LinkedHashMap<>(run.modules().byName());
    others.remove(PopulationExtension.NAME);
    return YamlConfig.parse(
        YamlConfig.toYaml(run.withModules(new ConfigExtensions(others))),
        "population",
        List.of("training.steps=" + steps));
  }

  /** How many member-generations there are in all. */
  public int units() {
    return config.size() * config.generations();
  }

  /** How many member-generations are done. */
  public int done() {
    return journal.entries().size();
  }

  /**
   * Trains all members that are not in the journal yet.
   *
   * @param whenDone receives the journal entry of each member in each generation
   */
  public PopulationResult run(TaskRunner runner, Consumer<JournalEntry> whenDone) {
    if (Files.notExists(directory.resolve(RunLayout.POPULATION))) {
      writeReport(); // a dashboard shows from the start how much there is to do
    }
    if (config.asynchronous()) {
      runner.run(new Asynchronous(whenDone));
      forgetAttempts();
      writeReport();
      if (PopulationResult.best(journal.entries()).isEmpty()) {
        throw new PopulationException(
            "no member has a score: " + journal.entries().get(0).failure());
      }
      return report();
    }
    List<MemberAssignment> units = planner.first();
    for (int generation = 0; generation < config.generations(); generation++) {
      train(units, runner, whenDone);
      writeReport();
      List<JournalEntry> reached = PopulationResult.members(journal.entries(), generation);
      if (reached.stream().allMatch(entry -> entry.score() == null)) {
        throw new PopulationException(
            String.format(
                Locale.ROOT,
                "no member of generation %d has a score: %s",
                generation,
                reached.get(0).failure()));
      }
      forget(generation);
      units = planner.next(reached);
    }
    return report();
  }

  /**
   * Members that do not wait for each other. Decisions depend on the order of the journal alone, so
   * a population that was stopped repeats those that it has made.
   */
  private final class Asynchronous implements TaskSource<MemberResult> {
    private final Consumer<JournalEntry> whenDone;
    private final Map<Integer, JournalEntry> latest = new HashMap<>();
    private final Map<Integer, MemberAssignment> open = new LinkedHashMap<>(); // by member
    private final Map<String, MemberAssignment> underWay = new HashMap<>();
    private final Set<Path> present = new HashSet<>(); // snapshots on disk

    Asynchronous(Consumer<JournalEntry> whenDone) {
      this.whenDone = whenDone;
      planner.first().forEach(unit -> open.put(unit.member(), unit));
      journal.entries().forEach(this::settle);
    }

    /** Decides how the member of an entry continues. */
    private void settle(JournalEntry entry) {
      if (entry.done()) {
        present.add(snapshot(entry.member(), entry.generation()));
      }
      latest.put(entry.member(), entry);
      open.remove(entry.member());
      planner.next(entry, latest.values()).ifPresent(unit -> open.put(unit.member(), unit));
    }

    @Override
    public Optional<MemberTask> next() {
      return open.values().stream()
          .findFirst()
          .map(
              unit -> {
                open.remove(unit.member());
                MemberTask task = task(unit);
                underWay.put(task.name(), unit);
                return task;
              });
    }

    @Override
    public void done(TaskResult<MemberResult> result) {
      MemberAssignment unit = Objects.requireNonNull(underWay.remove(result.name()));
      JournalEntry entry =
          result.succeeded()
              ? commit(unit, result)
              : JournalEntry.failed(unit, Objects.requireNonNull(result.failure()));
      record(entry, whenDone);
      settle(entry);
      forgetOthers();
      if (journal.entries().size() % config.size() == 0) {
        writeReport();
      }
    }

    /** Deletes snapshots from which no member can continue, except that of the best one. */
    private void forgetOthers() {
      Set<Path> kept = new HashSet<>();
      latest.values().forEach(entry -> kept.add(snapshot(entry.member(), entry.generation())));
      Stream.concat(open.values().stream(), underWay.values().stream())
          .forEach(unit -> kept.add(snapshot(unit.source(), unit.generation() - 1)));
      PopulationResult.best(journal.entries())
          .ifPresent(best -> kept.add(snapshot(best.member(), best.generation())));
      Set<Path> old = new HashSet<>(present);
      old.removeAll(kept);
      old.forEach(Population::forgetSnapshot);
      present.removeAll(old);
    }

    private Path snapshot(int member, int generation) {
      return RunLayout.member(directory, member, generation);
    }
  }

  /** Trains the units that are not in the journal yet; afterwards all are. */
  private void train(
      List<MemberAssignment> units, TaskRunner runner, Consumer<JournalEntry> whenDone) {
    int generation = units.get(0).generation();
    ScoreQuorum quorum =
        new ScoreQuorum(units.size(), config.quorum(), Math.min(MINIMUM, units.size()), PATIENCE);
    int failedChecks = 0;
    while (true) {
      Map<String, MemberAssignment> open = open(units);
      Map<MemberAssignment, String> failures = attempt(open, runner, whenDone);
      int ready = ready(generation);
      ScoreQuorum.Check check = quorum.check(ready, failedChecks);
      failedChecks = check.failed();
      if (failures.isEmpty() || check.verdict() != ScoreQuorum.Verdict.WAIT) {
        failures.forEach((unit, failure) -> record(JournalEntry.failed(unit, failure), whenDone));
        return;
      }
      if (failedChecks >= PATIENCE) {
        throw new PopulationException(
            String.format(
                Locale.ROOT,
                "generation %d: %d of %d members could be trained, too few to continue; the last"
                    + " failure was: %s; repeat the command to try again",
                generation,
                ready,
                units.size(),
                failures.values().iterator().next()));
      }
    }
  }

  private Map<String, MemberAssignment> open(List<MemberAssignment> units) {
    Map<Integer, JournalEntry> known = new HashMap<>();
    int generation = units.get(0).generation();
    PopulationResult.members(journal.entries(), generation)
        .forEach(entry -> known.put(entry.member(), entry));
    return units.stream()
        .filter(unit -> !known.containsKey(unit.member()))
        .collect(
            Collectors.toMap(
                unit -> task(unit).name(), unit -> unit, (a, b) -> a, LinkedHashMap::new));
  }

  /** Runs units, commits those that succeed, and returns why the others failed. */
  private Map<MemberAssignment, String> attempt(
      Map<String, MemberAssignment> open, TaskRunner runner, Consumer<JournalEntry> whenDone) {
    Map<MemberAssignment, String> failures = new LinkedHashMap<>();
    List<TaskResult<MemberResult>> results =
        runner.run(
            open.values().stream().map(this::task).toList(),
            result -> {
              if (result.succeeded()) {
                record(commit(Objects.requireNonNull(open.get(result.name())), result), whenDone);
              }
            });
    results.stream()
        .filter(result -> !result.succeeded())
        .forEach(result -> failures.put(open.get(result.name()), result.failure()));
    return failures;
  }

  private int ready(int generation) {
    return (int)
        PopulationResult.members(journal.entries(), generation).stream()
            .filter(entry -> entry.score() != null)
            .count();
  }

  private MemberTask task(MemberAssignment unit) {
    String parent =
        unit.source() == MemberAssignment.NONE
            ? null
            : RunLayout.member(directory, unit.source(), unit.generation() - 1)
                .toAbsolutePath()
                .toString();
    return new MemberTask(
        unit,
        memberYaml,
        parent,
        config.optimizerStrategy() == PopulationConfig.OptimizerStrategy.COPY,
        (unit.generation() + 1) * config.stepsPerGeneration(),
        RandomStream.of(seed, "population/evaluation", 0).nextLong(),
        environments);
  }

  /** Settings of a member. */
  public RunConfig configOf(JournalEntry entry) {
    return task(new MemberAssignment(
            entry.member(),
            entry.generation(),
            entry.source(),
            entry.seed(),
            entry.hyperparameters()))
        .config();
  }

  /** Writes the best member as a run for evaluate, signal and robustness. */
  public Path writeBest(JournalEntry best) {
    Path target = directory.resolve(RunLayout.BEST);
    AtomicFiles.replaceDirectory(
        target,
        fresh -> {
          RunConfig settings = configOf(best);
          try (RunDirectory run = RunDirectory.create(fresh, settings)) {
            EnvironmentFactory factory =
                environments == null ? EnvironmentRegistry.of(settings) : environments;
            try (Environment sample = factory.create(0)) {
              run.write(new SpaceFile(sample.observationSpace(), sample.actionSpace()));
            }
            EvaluationProtocol.of(settings, factory).prepare(fresh);
            run.snapshot(
                snapshotOf(best).state(), best.updates(), best.steps(), factory.dataFingerprint());
          }
        });
    return target;
  }

  /** Snapshot of a member after a generation; old ones are deleted except that of the best. */
  public Snapshot snapshotOf(JournalEntry entry) {
    return SnapshotStore.read(directory.resolve(entry.snapshot()));
  }

  /**
   * Moves snapshot and metrics of an attempt into the directory of the member. Existing content of
   * that directory is not in the journal and is deleted.
   */
  private JournalEntry commit(MemberAssignment unit, TaskResult<MemberResult> result) {
    lock.requireHeld();
    Path target = RunLayout.member(directory, unit.member(), unit.generation());
    Path snapshot =
        Objects.requireNonNull(result.directory())
            .resolve(Objects.requireNonNull(result.value()).snapshot());
    AtomicFiles.moveFile(
        result.directory().resolve(RunLayout.METRICS), snapshot.resolve(RunLayout.METRICS));
    AtomicFiles.moveDirectory(snapshot, target);
    return JournalEntry.of(unit, result.value(), directory.relativize(target).toString());
  }

  private void record(JournalEntry entry, Consumer<JournalEntry> whenDone) {
    journal.add(entry);
    whenDone.accept(entry);
  }

  /** Result so far. */
  public PopulationResult report() {
    return PopulationResult.of(config, seed, journal.entries());
  }

  private void writeReport() {
    Path file = directory.resolve(RunLayout.POPULATION);
    try {
      AtomicFiles.write(file, Json.INDENTED.writeValueAsBytes(report()));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /** Deletes snapshots that no member continues from, except that of the best member so far. */
  private void forget(int generation) {
    forgetAttempts();
    JournalEntry best = PopulationResult.best(journal.entries()).orElseThrow();
    for (JournalEntry entry : journal.entries()) {
      boolean old = entry.generation() <= generation - GENERATIONS_KEPT;
      if (entry.done() && old && !entry.equals(best)) {
        forgetSnapshot(directory.resolve(entry.snapshot()));
      }
    }
  }

  /** Keeps the metrics, which are small. */
  private static void forgetSnapshot(Path snapshot) {
    if (Files.notExists(snapshot)) {
      return; // older versions deleted the whole directory
    }
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(snapshot, file -> !file.endsWith(RunLayout.METRICS))) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot delete the snapshot " + snapshot, failure);
    }
  }

  /** A lost worker may still write there; its files are deleted after the next generation. */
  private void forgetAttempts() {
    try {
      AtomicFiles.deleteDirectory(directory.resolve("attempts"));
    } catch (UncheckedIOException inUse) {
      // nothing reads these files
    }
  }
}
