package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.io.AtomicFiles;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two processes in one directory: the second is refused, and nothing is written twice. */
@Requirement("CKPT-3")
class TwoWritersTest {
  private static final String[] ENDLESS = {
    "--set", "training.steps=100000000", "--set", "training.snapshotUpdates=5"
  };

  @TempDir private Path directory;
  private ChildProcess first;

  @AfterEach
  void end() throws InterruptedException {
    if (first != null) {
      first.process().destroyForcibly().waitFor();
    }
  }

  private Path startEndless() throws IOException, InterruptedException {
    Path run = directory.resolve("run");
    first = ChildProcess.start(directory, Invocation.trainArguments(run, ENDLESS));
    ChildProcess.waitFor(run.resolve("snapshots").resolve("LATEST"));
    return run;
  }

  private void requireRefused(Path place, Invocation second) {
    Refusal.require(
        second,
        ExitCode.USAGE,
        place + " is in use by process " + first.process().pid() + " since ",
        "; wait until it ends, or use another directory");
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  @Test
  void shouldRefuseToResumeARunThatTrains() throws Exception {
    Path run = startEndless();
    requireRefused(run, Invocation.of("resume", run.toString()));
    Refusal.require(Invocation.train(run), ExitCode.USAGE, run + " exists; choose another");

    first.process().destroyForcibly().waitFor();
    // The dead process is replaced, and its replacement refuses a third.
    first = ChildProcess.start(directory, "resume", run.toString());
    long updates = lines(run.resolve("metrics.csv")).size();
    for (int i = 0; i < 600 && lines(run.resolve("metrics.csv")).size() <= updates; i++) {
      Thread.sleep(50);
    }
    requireRefused(run, Invocation.of("resume", run.toString()));
    first.process().destroyForcibly().waitFor();
    assertThat(lines(run.resolve("metrics.csv"))).doesNotHaveDuplicates();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void shouldRefuseToReplaceAPausedRun() throws Exception {
    Path run = startEndless();
    new ProcessBuilder("kill", "-STOP", Long.toString(first.process().pid())).start().waitFor();
    requireRefused(run, Invocation.of("resume", run.toString()));
  }

  @Test
  void shouldEndWithOneLineWhenItsDirectoryIsDeleted() throws Exception {
    Path run = startEndless();
    for (int tries = 0; Files.exists(run) && tries < 100; tries++) {
      try {
        AtomicFiles.deleteDirectory(run);
      } catch (java.io.UncheckedIOException wroteMeanwhile) {
        // once more
      }
    }
    assertThat(first.await()).as(first.output()).isEqualTo(ExitCode.FAILED);
    assertThat(first.output().lines().filter(line -> line.startsWith("quantail: after update")))
        .hasSize(1);
    assertThat(first.output()).doesNotContain("\tat ");
    assertThat(run.resolve("snapshots")).doesNotExist();
  }

  @Test
  void shouldRefuseASecondPopulationAndASecondSweep() throws Exception {
    Path config = directory.resolve("pop.yaml");
    Files.writeString(
        config,
        """
        environment: {name: CartPole-v1, count: 4}
        network: {hidden: 8}
        critic: {quantiles: 5}
        rollout: {steps: 32}
        ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
        population:
          size: 2
          generations: 2
          stepsPerGeneration: 100000000
          hyperparameters:
            optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log}
        """);
    Path place = directory.resolve("population");
    String[] population = {"population", config.toString(), "--run", place.toString()};
    first = ChildProcess.start(directory, population);
    ChildProcess.waitFor(place.resolve("attempts"));
    requireRefused(place, Invocation.of(population));
    assertThat(place.resolve("attempts")).exists();
    assertThat(lines(place.resolve("journal.jsonl"))).hasSize(1);
    end();

    Path study = directory.resolve("sweep");
    Files.writeString(config, Files.readString(config).replaceAll("(?s)population:.*", ""));
    String[] sweep = {
      "sweep",
      config.toString(),
      "--run",
      study.toString(),
      "--seeds",
      "1-2",
      "--set",
      "training.steps=100000000"
    };
    first = ChildProcess.start(directory, sweep);
    ChildProcess.waitFor(study.resolve("attempts"));
    requireRefused(study, Invocation.of(sweep));
    assertThat(study.resolve("attempts")).exists();
  }
}
