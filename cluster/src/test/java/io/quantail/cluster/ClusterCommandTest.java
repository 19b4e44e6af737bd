package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("--add-opens") || option.startsWith("-Dslf4j"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.quantail.app.Main"));
    command.addAll(List.of("population", config.toString(), "--run", run.toString()));
    command.addAll(List.of("--on", where));
    command.addAll(List.of(more));
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

  @Test
  void shouldStopOnControlC() throws Exception {
    Path run = directory.resolve("interrupted");
    Command command =
        start("local-cluster[1]", run, "--set", "population.stepsPerGeneration=20000000");
    Waiting.forFile(run.resolve("attempts/generation-000-member-000/attempt-1"));
    new ProcessBuilder("kill", "-INT", Long.toString(command.process().pid())).start().waitFor();

    assertThat(command.await(120)).as(command.output()).isEqualTo(130);
    assertThat(command.output()).contains("go on by repeating the command with --run");
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
          start("spark://localhost:" + silent.getLocalPort(), directory.resolve("silent"));
      assertThat(command.await(120)).isEqualTo(1);
      assertThat(command.output()).contains("does not answer as a Spark 4.0");
    }
  }
}
