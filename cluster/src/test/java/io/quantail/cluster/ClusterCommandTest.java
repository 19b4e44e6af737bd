package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with {@code --on}, in processes of its own. */
@Tag("cluster")
@Requirement({"CLU-1", "CLI-1"})
class ClusterCommandTest {
  @TempDir private Path directory;
  private Path config;

  @BeforeEach
  void prepare() throws IOException {
    SparkHome.make();
    config = directory.resolve("small.yaml");
    Files.writeString(config, SmallPopulation.YAML);
  }

  private record Command(Process process, Path log) {
    int await(int seconds) throws InterruptedException, IOException {
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(ended).as("ends by itself: " + output()).isTrue();
      return process.exitValue();
    }

    String output() throws IOException {
      return Files.readString(log);
    }
  }

  private Command start(String where, Path run, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("population", config.toString()));
    arguments.addAll(List.of(more));
    return start(arguments, where, run);
  }

  private Command start(List<String> arguments, String where, Path run) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens") || option.startsWith("-Dslf4j"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.quantail.app.Main"));
    command.addAll(arguments);
    command.addAll(List.of("--on", where, "--run", run.toString()));
    Path log = Files.createTempFile(directory, "command", ".log");
    return new Command(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log);
  }

  @Test
  void shouldEndWithTheSameBytesAfterTheDriverWasKilled() throws Exception {
    Path whole = directory.resolve("whole");
    Command local = start("local", whole);
    assertThat(local.await(300)).as(local.output()).isZero();

    Path run = directory.resolve("killed");
    Command killed = start("local-cluster[2]", run);
    Waiting.until(() -> lines(run.resolve("journal.jsonl")) > 5);
    List<ProcessHandle> executors = Executors.of(killed.process().toHandle());
    assertThat(executors).isNotEmpty();
    killed.process().destroyForcibly().waitFor();
    Command again = start("local-cluster[2]", run);
    assertThat(again.await(300)).as(again.output()).isZero();

    SmallPopulation.requireSame(run, whole);
    Waiting.until(() -> executors.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static long lines(Path journal) {
    try {
      return Files.exists(journal) ? Files.readAllLines(journal).size() : 0;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Every file of every agent, of which some are put in order by the driver. */
  @Test
  void shouldWalkForwardWithTheSameBytes() throws Exception {
    List<String> arguments =
        List.of(
            "walkforward",
            System.getProperty("quantail.root") + "/configs/market/walk-forward.yaml",
            "--set=market.walkforward.folds=2",
            "--set=market.walkforward.seeds=2",
            "--set=market.episode.bars=64",
            "--set=environment.count=4",
            "--set=rollout.steps=32",
            "--set=ppo.sequenceLength=16",
            "--set=ppo.batchSize=64",
            "--set=ppo.epochs=1",
            "--set=network.hidden=8",
            "--set=critic.quantiles=8",
            "--set=training.steps=256");
    requireSameBytes(arguments, "walkforward.json", 4);
  }

  @Test
  void shouldSweepWithTheSameBytes() throws Exception {
    Path small = directory.resolve("sweep.yaml");
    Files.writeString(
        small, SmallPopulation.YAML.substring(0, SmallPopulation.YAML.indexOf("population:")));
    List<String> arguments =
        List.of(
            "sweep",
            small.toString(),
            "--set=training.steps=256",
            "--seeds=1,2",
            "--grid=ppo.clipRange=0.1,0.3");
    requireSameBytes(arguments, "results.json", 4);
  }

  /**
   * Compares one process with a cluster.
   *
   * @param result a file that says where everything lies
   * @param agents how many there are at least
   */
  private void requireSameBytes(List<String> arguments, String result, int agents)
      throws Exception {
    Path one = directory.resolve("one/all");
    Command local = start(arguments, "local", one);
    assertThat(local.await(300)).as(local.output()).isZero();
    Path many = directory.resolve("many/all");
    Command spark = start(arguments, "local-cluster[2]", many);
    assertThat(spark.await(300)).as(spark.output()).isZero();

    String[] others = {
      "events.out", "clock.", "files.sha256", "status.json", "result.json", result
    };
    Map<String, String> expected = RunFiles.hashes(one, others);
    assertThat(expected.keySet())
        .filteredOn(name -> name.endsWith("state.safetensors"))
        .hasSizeGreaterThanOrEqualTo(agents);
    assertThat(RunFiles.hashes(many, others)).isEqualTo(expected);
  }

  @Test
  void shouldStopOnControlC() throws Exception {
    Path run = directory.resolve("interrupted");
    Path scratch = Files.createDirectory(directory.resolve("scratch"));
    Command command =
        start(
            "local-cluster[1]",
            run,
            "--set=population.stepsPerGeneration=20000000",
            "--spark=spark.local.dir=" + scratch);
    Waiting.until(() -> isBusy(scratch));
    new ProcessBuilder("kill", "-INT", Long.toString(command.process().pid())).start().waitFor();

    assertThat(command.await(120)).as(command.output()).isEqualTo(130);
    assertThat(command.output()).contains("resume by repeating the command with --run");
  }

  /** Whether a task has been at work for longer than the first one, which only looks around. */
  private static boolean isBusy(Path scratch) {
    Instant before = Instant.now().minusSeconds(3);
    try (Stream<Path> tree = Files.find(scratch, 4, (path, what) -> isDesk(path, what, before))) {
      return tree.findAny().isPresent();
    } catch (IOException | UncheckedIOException vanishing) {
      return false;
    }
  }

  private static boolean isDesk(Path path, BasicFileAttributes what, Instant before) {
    return path.getFileName().toString().startsWith("quantail-")
        && what.lastModifiedTime().toInstant().isBefore(before);
  }

  @Test
  void shouldSaySoonThatNobodyListens() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    Command command = start("spark://localhost:" + port, directory.resolve("refused"));
    assertThat(command.await(60)).isEqualTo(1);
    assertThat(command.output())
        .contains("quantail: cannot reach the Spark master spark://localhost:" + port)
        .contains("Connection refused");
  }

  /** Spark itself would wait for a minute and then say something else. */
  @Test
  void shouldSaySoonThatWhoListensIsNoMaster() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      Command command =
          start(
              "spark://localhost:" + silent.getLocalPort(),
              directory.resolve("silent"),
              "--spark=spark.jars="); // of a test, the class path has directories
      assertThat(command.await(120)).isEqualTo(1);
      assertThat(command.output()).contains("does not answer as a Spark 4.0");
    }
  }
}
