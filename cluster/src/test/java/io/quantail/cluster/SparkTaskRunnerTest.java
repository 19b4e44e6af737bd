package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigLoader;
import io.quantail.config.RunConfig;
import io.quantail.population.Population;
import io.quantail.task.ClusterAddress;
import io.quantail.task.ClusterException;
import io.quantail.task.ClusterSettings;
import io.quantail.task.LocalTaskRunner;
import io.quantail.task.Task;
import io.quantail.task.TaskResult;
import io.quantail.task.TaskRunner;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** On two executor processes of this machine, started once. */
@Requirement("CLU-1")
@TestMethodOrder(MethodOrderer.MethodName.class)
class SparkTaskRunnerTest {
  private static final int ATTEMPTS = 4;

  @TempDir private static Path directory;
  private static Path attempts;
  private static TaskRunner spark;

  /** Says in which process it ran, and fails in its first attempts. */
  private record Stubborn(String name, int failures) implements Task<Long> {
    @Override
    public Long run(Path attempt) throws IOException {
      Files.writeString(attempt.resolve("pid"), Long.toString(ProcessHandle.current().pid()));
      if (attempt.endsWith("attempt-1") ? failures > 0 : failures > 1) {
        throw new IllegalStateException("no luck");
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
  private record Endless(String name) implements Task<String> {
    @Override
    public String run(Path attempt) throws Exception {
      Files.createFile(attempt.resolve("started"));
      try {
        Thread.sleep(600_000);
      } finally {
        Files.createFile(attempt.resolve("interrupted"));
      }
      return "never";
    }
  }

  /** Kills an executor when the first result comes, until a task had to be repeated. */
  private static final class Losing implements TaskRunner {
    private final List<Integer> tried = new ArrayList<>();

    @Override
    public <R extends Serializable> List<TaskResult<R>> run(
        List<? extends Task<R>> tasks, Consumer<TaskResult<R>> whenDone) {
      boolean[] killed = {hasLost()};
      return spark.run(
          tasks,
          result -> {
            tried.add(result.attempts());
            if (!killed[0]) {
              killed[0] = true;
              Executors.killOne(ProcessHandle.current());
            }
            whenDone.accept(result);
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
                    ClusterAddress.of("local-cluster[2]"), attempts, ATTEMPTS, Map.of()));
  }

  @AfterAll
  static void stop() {
    if (spark != null) {
      spark.close();
    }
  }

  @Test
  void shouldGiveTheBytesOfOneProcessEvenWhenAnExecutorIsLost() throws IOException {
    RunConfig config = ConfigLoader.parse(SmallPopulation.YAML, "small", List.of());
    Path one = directory.resolve("one");
    try (TaskRunner local = new LocalTaskRunner(1, one.resolve("attempts"), ATTEMPTS)) {
      new Population(config, one).run(local, entry -> {});
    }
    Losing losing = new Losing();
    Path many = directory.resolve("spark");
    new Population(config, many).run(losing, entry -> {});

    assertThat(losing.hasLost()).as("an executor was lost while it worked").isTrue();
    SmallPopulation.requireSame(many, one);
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
    assertThat(attempts.resolve("a/attempt-1")).isDirectory();
    assertThat(attempts.resolve("a/attempt-2")).isDirectory();
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
    Thread caller =
        new Thread(
            () -> {
              try {
                spark.run(List.of(new Endless("endless")), result -> {});
              } catch (CancellationException cancelled) {
                thrown.set(cancelled);
              }
            });
    caller.start();
    Path attempt = attempts.resolve("endless/attempt-1");
    Waiting.forFile(attempt.resolve("started"));
    caller.interrupt();
    caller.join();

    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    Waiting.forFile(attempt.resolve("interrupted"));
    assertThat(attempts.resolve("endless/attempt-2")).doesNotExist();
  }

  @Test
  void shouldSayWhichHostDoesNotSeeTheDirectory() {
    Visibility elsewhere = new Visibility(attempts.toString(), "a nonce that nobody wrote");
    assertThatThrownBy(
            () ->
                ((SparkTaskRunner) spark)
                    .run(List.of(new Stubborn("blind", 0)), result -> {}, elsewhere))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("does not see " + attempts)
        .hasMessageContaining("--run");
    assertThat(attempts.resolve("blind")).doesNotExist();
  }

  @Test
  void shouldRefuseNamesThatAreNoDirectories() {
    assertThatThrownBy(() -> spark.run(List.of(new Nothing("../up")), result -> {}))
        .hasMessageContaining("was '../up'");
  }
}
