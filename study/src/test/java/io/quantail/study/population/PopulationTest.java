package io.quantail.study.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.ObservationSpace;
import io.quantail.model.AgentModel;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole populations of tiny agents, undisturbed and disturbed. */
@Requirement({"PBT-3", "CLU-2"})
class PopulationTest {
  private static final String YAML =
      """
      environment: {name: CartPole-v1, count: 4}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 16}
      ppo: {batchSize: 32, sequenceLength: 8, epochs: 1}
      evaluation: {episodes: 3}
      population:
        size: 4
        generations: 3
        stepsPerGeneration: 128
        hyperparameters:
          optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log}
          optimizer.schedule: {values: [constant, linear]}
      """;

  @TempDir Path directory;

  private static RunConfig config(String... overrides) {
    return YamlConfig.parse(YAML, "pop.yaml", List.of(overrides));
  }

  private static PopulationResult run(Path place, int parallel, String... overrides) {
    try (TaskRunner runner = new LocalTaskRunner(parallel, place.resolve("attempts"), 2)) {
      return run(place, runner, overrides);
    }
  }

  private static PopulationResult run(Path place, TaskRunner runner, String... overrides) {
    try (Population population = new Population(config(overrides), place)) {
      return population.run(runner, entry -> {});
    }
  }

  private static List<String> journal(Path place) throws IOException {
    return Files.readAllLines(place.resolve("journal.jsonl"));
  }

  /** Content of every member's metrics, by path. */
  private static Map<String, String> metrics(Path population) throws IOException {
    try (var files = Files.walk(population.resolve("members"))) {
      return files
          .filter(file -> file.endsWith("metrics.csv"))
          .collect(
              Collectors.toMap(
                  file -> population.relativize(file).toString(), PopulationTest::text));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldGiveTheSameNumbersWhateverTheNumberOfThreads() throws IOException {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    PopulationResult first = run(one, 1);
    assertThat(run(two, 3)).isEqualTo(first);
    assertThat(journal(two)).isEqualTo(journal(one));
    assertThat(Files.readString(two.resolve("population.json")))
        .isEqualTo(Files.readString(one.resolve("population.json")));
    assertThat(metrics(two)).isEqualTo(metrics(one)).hasSize(12);
    assertThat(first.generations()).hasSize(3);
    assertThat(first.lineage()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(first.best().score()).isPositive();
    assertThat(run(directory.resolve("other"), 2, "seed=9").best().hash())
        .isNotEqualTo(first.best().hash());
  }

  /** What other agents learnt goes on: a member that does not copy is a run that never stopped. */
  @Test
  void shouldContinueMembersThatDoNotCopyToTheBit() {
    PopulationResult whole = run(directory.resolve("a"), 2, "population.generations=2");
    PopulationResult once =
        run(
            directory.resolve("b"),
            2,
            "population.generations=1",
            "population.stepsPerGeneration=256");
    Map<Integer, JournalEntry> single =
        once.generations().get(0).members().stream()
            .collect(Collectors.toMap(JournalEntry::member, entry -> entry));
    List<JournalEntry> same =
        whole.generations().get(1).members().stream()
            .filter(entry -> entry.source() == entry.member())
            .toList();
    assertThat(same).isNotEmpty();
    for (JournalEntry entry : same) {
      assertThat(entry.hash()).isEqualTo(single.get(entry.member()).hash());
      assertThat(entry.score()).isEqualTo(single.get(entry.member()).score());
    }
  }

  /** Stops the whole population after every number of units, in the middle of a generation too. */
  @Test
  void shouldGoOnAfterAStopAndDoNothingTwice() throws IOException {
    Path undisturbed = directory.resolve("undisturbed");
    PopulationResult expected = run(undisturbed, 1);
    Path place = directory.resolve("stopped");
    List<String> trained = new ArrayList<>();
    for (int stop : new int[] {1, 2, 3}) {
      Counting runner = new Counting(place.resolve("attempts"), stop, trained);
      assertThatThrownBy(() -> run(place, runner)).isInstanceOf(CancellationException.class);
      // A crash in the middle of a line, and one between the move and the journal.
      Files.writeString(
          place.resolve("journal.jsonl"), "{\"member\":3,\"gener", StandardOpenOption.APPEND);
      Files.createDirectories(place.resolve("members/member-003/generation-000"));
    }
    Counting last = new Counting(place.resolve("attempts"), Integer.MAX_VALUE, trained);
    assertThat(run(place, last)).isEqualTo(expected);
    assertThat(journal(place)).isEqualTo(journal(undisturbed));
    assertThat(trained).doesNotHaveDuplicates().hasSize(12);
    try (Population population = new Population(config(), place)) {
      assertThat(population.done()).isEqualTo(12);
    }
  }

  /** Runs tasks one by one and stops everything after some. */
  private record Counting(Path directory, int stop, List<String> trained) implements TaskRunner {
    @Override
    public <R extends Serializable> void run(TaskSource<R> source) {
      int count = 0;
      Optional<? extends Task<R>> task = source.next();
      while (task.isPresent()) {
        if (count++ == stop) {
          throw new CancellationException("stopped");
        }
        try (TaskRunner one = new LocalTaskRunner(1, directory, 1)) {
          one.run(
              List.of(task.get()),
              result -> {
                trained.add(result.name());
                source.done(result);
              });
        }
        task = source.next();
      }
    }

    @Override
    public void close() {
      // nothing runs between tasks
    }
  }

  private static final String ASYNCHRONOUS = "population.asynchronous=true";

  /** One thread: then nothing depends on who is faster. */
  @Test
  void shouldRepeatAsynchronousDecisionsAfterAStop() throws IOException {
    String[] settings = {ASYNCHRONOUS, "population.generations=4"};
    Path undisturbed = directory.resolve("undisturbed");
    PopulationResult expected = run(undisturbed, 1, settings);
    assertThat(expected.lineage()).isNotEmpty();
    Path place = directory.resolve("stopped");
    List<String> trained = new ArrayList<>();
    for (int stop : new int[] {1, 2, 5}) {
      Counting runner = new Counting(place.resolve("attempts"), stop, trained);
      assertThatThrownBy(() -> run(place, runner, settings))
          .isInstanceOf(CancellationException.class);
      Files.writeString(
          place.resolve("journal.jsonl"), "{\"member\":3,\"gener", StandardOpenOption.APPEND);
    }
    Counting last = new Counting(place.resolve("attempts"), Integer.MAX_VALUE, trained);
    assertThat(run(place, last, settings)).isEqualTo(expected);
    assertThat(journal(place)).isEqualTo(journal(undisturbed));
    assertThat(trained).doesNotHaveDuplicates();
    assertThat(metrics(place)).isEqualTo(metrics(undisturbed));
  }

  /** A slow member must not hold up the others, and goes on from where they are. */
  @Test
  void shouldNotWaitForASlowMember() {
    Path place = directory.resolve("slow");
    List<JournalEntry> entries = new ArrayList<>();
    try (TaskRunner runner = new Delaying(place.resolve("attempts"), "-member-001");
        Population population = new Population(config(ASYNCHRONOUS), place)) {
      population.run(runner, entries::add);
    }
    int slow = entries.indexOf(entries.stream().filter(e -> e.member() == 1).findFirst().get());
    assertThat(entries.subList(0, slow)).hasSize(9).allMatch(entry -> entry.member() != 1);
    assertThat(entries.get(8).generation()).isEqualTo(2);
    TaskRunner none = new Counting(directory.resolve("none"), 0, new ArrayList<>());
    assertThat(run(place, none, ASYNCHRONOUS).best()).isNotNull();
  }

  /** Starts a task only when there is no other. */
  private record Delaying(Path directory, String last) implements TaskRunner {
    @Override
    public <R extends Serializable> void run(TaskSource<R> source) {
      List<Task<R>> waiting = new ArrayList<>();
      while (true) {
        source.next().ifPresentOrElse(waiting::add, () -> waiting.add(null));
        if (waiting.remove(null)) {
          if (waiting.isEmpty()) {
            return;
          }
          Task<R> task =
              waiting.stream()
                  .filter(one -> !one.name().endsWith(last))
                  .findFirst()
                  .orElse(waiting.get(0));
          waiting.remove(task);
          try (TaskRunner one = new LocalTaskRunner(1, directory, 1)) {
            one.run(List.of(task), source::done);
          }
        }
      }
    }

    @Override
    public void close() {
      // nothing runs between tasks
    }
  }

  /** Lets some tasks fail, with the parts of their work on disk. */
  private record Failing(TaskRunner runner, Predicate<String> fails, Map<String, Integer> tries)
      implements TaskRunner {
    private record Broken<R extends Serializable>(
        Task<R> task, Predicate<String> fails, Map<String, Integer> tries) implements Task<R> {
      @Override
      public String name() {
        return task.name();
      }

      @Override
      public R run(Path attempt) throws Exception {
        tries.merge(name(), 1, Integer::sum);
        R result = task.run(attempt);
        if (fails.test(name())) {
          throw new IllegalStateException("the disk is gone");
        }
        return result;
      }
    }

    @Override
    public <R extends Serializable> void run(TaskSource<R> source) {
      runner.run(
          new TaskSource<R>() {
            @Override
            public Optional<? extends Task<R>> next() {
              return source.next().map(task -> new Broken<>(task, fails, tries));
            }

            @Override
            public void done(TaskResult<R> result) {
              source.done(result);
            }
          });
    }

    @Override
    public void close() {
      runner.close();
    }
  }

  private PopulationResult runFailing(
      Path place, Predicate<String> fails, Map<String, Integer> tries) {
    try (TaskRunner runner =
        new Failing(new LocalTaskRunner(1, place.resolve("attempts"), 2), fails, tries)) {
      return run(place, runner);
    }
  }

  @Test
  void shouldReplaceAMemberThatFailsInEveryAttempt() {
    Map<String, Integer> tries = new HashMap<>();
    PopulationResult report =
        runFailing(directory.resolve("p"), name -> name.equals("generation-001-member-002"), tries);
    JournalEntry failed = report.generations().get(1).members().get(2);
    assertThat(failed.done()).isFalse();
    assertThat(failed.score()).isNull();
    assertThat(failed.failure()).contains("the disk is gone");
    assertThat(tries).containsEntry("generation-001-member-002", 2);
    JournalEntry after = report.generations().get(2).members().get(2);
    assertThat(after.source()).isNotEqualTo(2);
    assertThat(after.score()).isNotNull();
    assertThat(report.generations().get(1).scores().ready()).isEqualTo(3);
  }

  @Test
  void shouldRepeatFailedMembersWhileTooFewHaveAScoreAndThenSaySo() {
    Map<String, Integer> tries = new HashMap<>();
    Path place = directory.resolve("p");
    assertThatThrownBy(() -> runFailing(place, name -> !name.endsWith("000"), tries))
        .isInstanceOf(PopulationException.class)
        .hasMessageContaining("generation 0: 1 of 4 members could be trained, too few to continue")
        .hasMessageContaining("the disk is gone")
        .hasMessageContaining("repeat the command");
    assertThat(tries).containsEntry("generation-000-member-001", 6);
    assertThat(tries).containsEntry("generation-000-member-000", 1);
    // The reason went away: the same directory goes on.
    assertThat(runFailing(place, name -> false, tries).generations()).hasSize(3);
    assertThat(tries).containsEntry("generation-000-member-000", 1);
  }

  @Test
  void shouldRefuseADirectoryOfAnotherPopulation() {
    run(directory, 2, "population.generations=1");
    assertThatThrownBy(() -> new Population(config("ppo.clipRange=0.1"), directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holds a population with other settings");
    // The refusal gave the directory back.
    try (Population same = new Population(config("population.generations=1"), directory)) {
      assertThat(same.done()).isEqualTo(4);
    }
  }

  @Test
  void shouldRefuseTheDirectoryOfAPopulationThatIsAtWork() throws IOException {
    try (Population first = new Population(config(), directory)) {
      assertThatThrownBy(() -> new Population(config(), directory))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(directory + " is in use by")
          .hasMessageContaining("wait until it ends, or use another directory");
      assertThat(first.done()).isZero();
    }
    assertThat(journal(directory)).hasSize(1); // the head alone
  }

  @Test
  void shouldKeepTheBestAndTheLastTwoGenerations() throws IOException {
    PopulationResult report = run(directory, 2, "population.generations=5");
    try (Population population = new Population(config("population.generations=5"), directory)) {
      AgentModel model =
          new AgentModel(
              population.configOf(report.best()),
              ObservationSpace.of(4),
              new io.quantail.env.ActionSpace.Discrete(2));
      model.load(population.snapshotOf(report.best()).state().child("agent"));
    }

    try (var members = Files.walk(directory.resolve("members"))) {
      long snapshots = members.filter(path -> path.endsWith("manifest.json")).count();
      assertThat(snapshots).isBetween(8L, 9L);
    }
    try (var members = Files.walk(directory.resolve("members"))) {
      assertThat(members.filter(path -> path.endsWith("metrics.csv"))).hasSize(5 * 4);
    }
    assertThat(directory.resolve("attempts")).doesNotExist();
  }

  /** Only those that train at the moment are in memory. */
  @Test
  void shouldTrainSixtyFourMembers() {
    PopulationResult report =
        run(
            directory,
            2,
            "population.size=64",
            "population.generations=2",
            "population.stepsPerGeneration=64");
    assertThat(report.generations()).hasSize(2);
    assertThat(report.generations().get(1).scores().ready()).isEqualTo(64);
    assertThat(report.generations().get(1).exploited()).isEqualTo(16);
  }
}
