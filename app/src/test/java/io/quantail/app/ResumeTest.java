package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are killed or interrupted, and go on as if nothing had happened. */
class ResumeTest {
  private static final int ITERATIONS = 400;
  private static final int KILLS = 10;
  private static final long SEED = 20261115;
  private static final String[] LONGER = {
    "--set",
    "training.steps=" + ITERATIONS * Invocation.STEPS_PER_ITERATION,
    "--set",
    "training.snapshotUpdates=3",
    "--set",
    "optimizer.schedule=linear"
  };

  @TempDir private Path directory;
  private final Map<Long, Path> logs = new HashMap<>();

  @Test
  @Requirement("CKPT-2")
  void shouldEndLikeAnUndisturbedRunHoweverOftenItWasKilled() throws Exception {
    Path whole = directory.resolve("whole");
    Invocation undisturbed = Invocation.train(whole, LONGER);
    assertThat(undisturbed.code()).as(undisturbed.err()).isEqualTo(ExitCode.OK);

    Path killed = directory.resolve("killed");
    RandomStream random = RandomStream.of(SEED, "kill", 0);
    int kills = 0;
    Process process = start(Invocation.trainArguments(killed, LONGER));
    waitFor(killed.resolve("snapshots").resolve("LATEST"));
    for (int i = 0; i < KILLS; i++) {
      if (!process.waitFor(500 + random.nextInt(1500), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        kills++;
      }
      process = start("resume", killed.toString(), "--json");
    }
    assertThat(process.waitFor()).isEqualTo(ExitCode.OK);

    // A fast machine may finish before the last kills; without any the test would prove nothing.
    assertThat(kills).as("kills with seed %d", SEED).isGreaterThanOrEqualTo(3);
    assertThat(killed.resolve("metrics.csv")).hasSameBinaryContentAs(whole.resolve("metrics.csv"));
    assertThat(state(killed)).hasSameBinaryContentAs(state(whole));
    assertThat(Invocation.of("evaluate", killed.toString(), "--json").json())
        .isEqualTo(undisturbed.json().get("evaluation"));
  }

  @Test
  void shouldSaveOnControlC() throws Exception {
    Path run = directory.resolve("interrupted");
    Process process = start(Invocation.trainArguments(run, "--set", "training.steps=100000000"));
    waitFor(run.resolve("snapshots").resolve("LATEST"));
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(log(process)).contains("interrupted; go on with: quantail resume " + run);
    assertThat(Invocation.of("evaluate", run.toString(), "--json").code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldRefuseChangedSettings() throws IOException {
    Path run = directory.resolve("changed");
    Invocation.train(run);
    Path config = run.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("gamma: 0.98", "gamma: 0.97"));
    Invocation resumed = Invocation.of("resume", run.toString());
    assertThat(resumed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(resumed.err()).contains("has been changed since the snapshot was written");
  }

  @Test
  void shouldRepeatTheResultOfAFinishedRun() {
    Path run = directory.resolve("finished");
    Invocation trained = Invocation.train(run);
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.json().get("evaluation")).isEqualTo(trained.json().get("evaluation"));
    assertThat(resumed.json().get("alerts")).isEqualTo(trained.json().get("alerts"));
  }

  private Process start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile(directory, "process", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    logs.put(process.pid(), log);
    return process;
  }

  private String log(Process process) throws IOException {
    return Files.readString(logs.get(process.pid()));
  }

  private static void waitFor(Path file) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(file); i++) {
      Thread.sleep(50);
    }
    assertThat(file).exists();
  }

  /** The final training state. */
  private static Path state(Path run) throws IOException {
    try (Stream<Path> files = Files.walk(run.resolve("snapshots"))) {
      return files
          .filter(file -> file.endsWith("state.safetensors"))
          .max(Comparator.comparing(Path::toString))
          .orElseThrow();
    }
  }
}
