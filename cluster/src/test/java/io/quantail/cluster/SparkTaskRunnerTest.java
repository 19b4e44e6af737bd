package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import io.quantail.study.population.Population;
import io.quantail.study.task.AttemptDirectory;
import io.quantail.study.task.ClusterAddress;
import io.quantail.study.task.ClusterException;
import io.quantail.study.task.ClusterSettings;
import io.quantail.study.task.LocalTaskRunner;
import io.quantail.study.task.Task;
import io.quantail.study.task.TaskResult;
import io.quantail.study.task.TaskRunner;
import io.quantail.study.task.TaskSource;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On two executor processes of this machine, started once. */
@Requirement("CLU-1")
@TestMethodOrder(MethodOrderer.MethodName.class)
class SparkTaskRunnerTest {
  private static final int ATTEMPTS = 4;

  @TempDir private static Path directory;
  private static Path attempts;
  private static TaskRunner spark;

  /**
   * Says in which process it ran, and fails in its first attempts.
   *
   * @param notes where it counts its attempts
   */
  private record Stubborn(String name, int failures, String notes) implements Task<Long> {
    Stubborn(String name, int failures) {
      this(name, failures, directory.resolve("notes").toString());
    }

    @Override
    public Long run(Path attempt) throws IOException {
      Path note = AttemptDirectory.create(Path.of(notes), name);
      Files.writeString(attempt.resolve("pid"), Long.toString(ProcessHandle.current().pid()));
      for (int number = 1; number <= failures; number++) {
        if (note.endsWith("attempt-" + number)) {
          throw new IllegalStateException("no luck");
        }
      }
      return ProcessHandle.current().pid();
    }
  }

  private record Nothing(String name) implements Task<String> {
    @Override
    public String run(Path attempt) {
      return null;
    }
  }

  /** Ends when it is interrupted, and leaves a file then. */
  private record Endless(String name, String notes) implements Task<String> {
    @Override
    public String run(Path attempt) throws Exception {
      Path note = AttemptDirectory.create(Path.of(notes), name);
      Files.createFile(note.resolve("started"));
      try {
        Thread.sleep(600_000);
      } finally {
        Files.createFile(note.resolve("interrupted"));
      }
      return "never";
    }
  }

  /** Kills an executor when the first result comes, until a task had to be repeated. */
  private static final class Losing implements TaskRunner {
    private final List<Integer> tried = new ArrayList<>();

    @Override
    public <R extends Serializable> void run(TaskSource<R> source) {
      boolean[] killed = {hasLost()};
      spark.run(
          new TaskSource<R>() {
            @Override
            public Optional<? extends Task<R>> next() {
              return source.next();
            }

            @Override
            public void done(TaskResult<R> result) {
              tried.add(result.attempts());
              if (!killed[0]) {
                killed[0] = true;
                Executors.killOne(ProcessHandle.current());
              }
              source.done(result);
            }
          });
    }

    boolean hasLost() {
      return tried.stream().anyMatch(count -> count > 1);
    }

    @Override
    public void close() {}
  }

  @BeforeAll
  static void start() throws IOException {
    SparkHome.make();
    attempts = directory.resolve("spark/attempts");
    spark =
        new SparkProvider()
            .open(
                new ClusterSettings(
                    ClusterAddress.of("local-cluster[2]"),
                    attempts,
                    null,
                    ATTEMPTS,
                    120,
                    Set.of(),
                    engine()));
  }

  /** Two more file systems. */
  private static Map<String, String> engine() {
    return Map.of(
        "spark.hadoop.fs.viewfs.mounttable.elsewhere.link./shared",
        directory.resolve("elsewhere").toUri().toString(),
        "spark.hadoop.fs.blind.impl",
        BlindFileSystem.class.getName());
  }

  private static SharedDirectory open(String shared, Path place) {
    return SharedDirectory.open(shared, place, SparkContext.getOrCreate().hadoopConfiguration());
  }

  /** On the same executors, with files that go another way. */
  private static SparkTaskRunner through(String shared, Path place) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(SparkContext.getOrCreate());
    return new SparkTaskRunner(context, open(shared, place), place, ATTEMPTS);
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.close();
    }
  }

  @Test
  void shouldGiveTheBytesOfOneProcessEvenWhenAnExecutorIsLost() {
    Losing losing = new Losing();
    Path many = directory.resolve("spark");
    run(many, losing);

    assertThat(losing.hasLost()).as("an executor was lost while it worked").isTrue();
    SmallPopulation.requireSame(many, inOneProcess());
  }

  private static RunConfig config() {
    return YamlConfig.parse(SmallPopulation.YAML, "small", List.of());
  }

  private static Path inOneProcess() {
    Path one = directory.resolve("one");
    try (TaskRunner local = new LocalTaskRunner(1, one.resolve("attempts"), ATTEMPTS)) {
      run(one, local); // once: it goes on where it ended
    }
    return one;
  }

  private static void run(Path place, TaskRunner runner) {
    try (Population population = new Population(config(), place)) {
      population.run(runner, entry -> {});
    }
  }

  @Test
  void shouldReturnResultsInOrderFromOtherProcesses() {
    List<String> heard = new ArrayList<>();
    List<TaskResult<Long>> results =
        spark.run(
            List.of(new Stubborn("c", 0), new Stubborn("a", 1), new Stubborn("b", 0)),
            result -> heard.add(result.name()));

    assertThat(results).extracting(TaskResult::name).containsExactly("c", "a", "b");
    assertThat(heard).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(results).extracting(TaskResult::attempts).containsExactly(1, 2, 1);
    assertThat(results)
        .extracting(TaskResult::value)
        .doesNotContainNull()
        .doesNotContain(ProcessHandle.current().pid());
    for (TaskResult<Long> result : results) {
      assertThat(result.directory()).isEqualTo(attempts.resolve(result.name() + "/attempt-1"));
      assertThat(result.directory().resolve("pid")).hasContent(result.value().toString());
    }
  }

  @Test
  void shouldFailAloneAndSayWhatASingleProcessSays() throws IOException {
    List<Task<Long>> tasks = List.of(new Stubborn("bad", 9), new Stubborn("good", 0));
    List<TaskResult<Long>> results = spark.run(tasks, result -> {});

    try (TaskRunner local = new LocalTaskRunner(1, directory.resolve("local"), ATTEMPTS)) {
      assertThat(results.get(0)).isEqualTo(local.run(tasks, result -> {}).get(0));
    }
    assertThat(results.get(1).succeeded()).isTrue();
    TaskResult<String> nothing = spark.run(List.of(new Nothing("nothing")), result -> {}).get(0);
    assertThat(nothing.failure()).isEqualTo("returned nothing");
    assertThat(nothing.attempts()).isEqualTo(ATTEMPTS);
  }

  @Test
  void shouldInterruptTheTasksOfACallerThatIsInterrupted() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Path notes = directory.resolve("notes");
    Thread caller =
        new Thread(
            () -> {
              try {
                spark.run(List.of(new Endless("endless", notes.toString())), result -> {});
              } catch (CancellationException cancelled) {
                thrown.set(cancelled);
              }
            });
    caller.start();
    Path attempt = notes.resolve("endless/attempt-1");
    Waiting.forFile(attempt.resolve("started"));
    caller.interrupt();
    caller.join();

    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    Waiting.forFile(attempt.resolve("interrupted"));
    assertThat(notes.resolve("endless/attempt-2")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"file://%s/other", "%s/plain name", "viewfs://elsewhere/shared"})
  void shouldExchangeFilesThroughWhatHadoopKnows(String address) throws IOException {
    String shared = address.formatted(directory);
    Path run = Files.createTempDirectory(directory, "run");
    run(run, through(shared, run.resolve("attempts")));

    SmallPopulation.requireSame(run, inOneProcess());
    org.apache.hadoop.fs.Path place = new org.apache.hadoop.fs.Path(shared);
    FileStatus[] left =
        place.getFileSystem(SparkContext.getOrCreate().hadoopConfiguration()).listStatus(place);
    assertThat(left).hasSize(1); // the directory of this run, removed by close
    assertThat(left[0].getPath().getName()).startsWith("exchange-");
  }

  @Test
  void shouldRemoveWhatALostDriverLeft() throws IOException {
    Path shared = directory.resolve("left");
    SparkTaskRunner lost = through(shared.toString(), directory.resolve("lost"));
    lost.run(List.of(new Stubborn("before", 0)), result -> {});
    Path home;
    try (Stream<Path> homes = Files.list(shared)) {
      home = homes.findFirst().orElseThrow();
    }
    Path left = Files.createFile(home.resolve("left"));

    SharedDirectory other = open(shared.toString(), directory.resolve("another"));
    assertThat(left).exists();
    SharedDirectory same = open(shared.toString(), directory.resolve("lost"));
    assertThat(left).doesNotExist();
    other.remove();
    same.remove();
    assertThat(shared).isEmptyDirectory();
  }

  @Test
  void shouldSayWhichHostDoesNotSeeTheDirectory() {
    SparkTaskRunner blind = through("blind://" + directory, directory.resolve("blind"));
    assertThatThrownBy(() -> blind.run(List.of(new Stubborn("blind", 0)), result -> {}))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("does not see blind:" + directory)
        .hasMessageContaining("--run")
        .hasMessageContaining("--shared");
    assertThat(directory.resolve("notes/blind")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"moon://base/x", "hdfs:// /x", "viewfs://unknown/x", "file:///proc/x"})
  void shouldRefuseAddressesThatCannotBeUsed(String address) {
    assertThatThrownBy(() -> open(address, directory.resolve("refused")))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(address.substring(0, 8))
        .hasMessageContaining("--shared");
  }

  @Test
  void shouldRefuseNamesThatAreNoDirectories() {
    assertThatThrownBy(() -> spark.run(List.of(new Nothing("../up")), result -> {}))
        .hasMessageContaining("was '../up'");
  }
}
