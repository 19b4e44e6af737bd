package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.io.Sha256;
import io.quantail.random.RandomStream;
import io.quantail.run.RunStatus;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
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
    "optimizer.schedule=linear",
    // Alerts that come and go, one of them with a memory of many updates.
    "--set",
    "health.rules.gradient-norm={threshold: 0.3, patience: 2, calm: 2, unless: []}",
    "--set",
    "health.rules.mine={metric: train/loss, when: grown, threshold: 1.5, window: 20, calm: 3}"
  };

  @TempDir private Path directory;

  @Test
  @Requirement("CKPT-2")
  void shouldEndLikeAnUndisturbedRunHoweverOftenItWasKilled() throws Exception {
    Path whole = directory.resolve("whole");
    Invocation undisturbed = Invocation.train(whole, LONGER);
    assertThat(undisturbed.code()).as(undisturbed.err()).isEqualTo(ExitCode.OK);

    Path killed = directory.resolve("killed");
    RandomStream random = RandomStream.of(SEED, "kill", 0);
    int kills = 0;
    ChildProcess child = ChildProcess.start(directory, Invocation.trainArguments(killed, LONGER));
    ChildProcess.waitFor(killed.resolve("snapshots").resolve("LATEST"));
    for (int i = 0; i < KILLS; i++) {
      if (!child.process().waitFor(500 + random.nextInt(1500), TimeUnit.MILLISECONDS)) {
        child.process().destroyForcibly().waitFor();
        kills++;
      }
      child = ChildProcess.start(directory, "resume", killed.toString(), "--json");
    }
    assertThat(child.await()).as(child.output()).isEqualTo(ExitCode.OK);

    // A fast machine may finish before the last kills; without any the test would prove nothing.
    assertThat(kills).as("kills with seed %d", SEED).isGreaterThanOrEqualTo(3);
    assertThat(killed.resolve("metrics.csv")).hasSameBinaryContentAs(whole.resolve("metrics.csv"));
    assertThat(state(killed)).hasSameBinaryContentAs(state(whole));
    assertThat(whole.resolve("alerts.jsonl"))
        .content()
        .contains("\"rule\":\"gradient-norm\"", "\"rule\":\"mine\"", "\"state\":\"ended\"");
    assertThat(killed.resolve("alerts.jsonl"))
        .hasSameBinaryContentAs(whole.resolve("alerts.jsonl"));
    assertThat(Invocation.of("evaluate", killed.toString(), "--json").numbers())
        .isEqualTo(undisturbed.json().get("evaluation"));
  }

  @Test
  void shouldSaveOnControlC() throws Exception {
    Path run = directory.resolve("interrupted");
    ChildProcess child =
        ChildProcess.start(
            directory, Invocation.trainArguments(run, "--set", "training.steps=100000000"));
    ChildProcess.waitFor(run.resolve("snapshots").resolve("LATEST"));
    new ProcessBuilder("kill", "-INT", Long.toString(child.process().pid())).start().waitFor();

    assertThat(child.await()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(child.output()).contains("interrupted; resume with: quantail resume " + run);
    assertThat(RunStatus.read(run).orElseThrow().state()).isEqualTo(RunStatus.State.INTERRUPTED);
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
    assertThat(resumed.err())
        .contains(
            "has been changed since the snapshot was written: rollout.gamma is 0.97, was 0.98;");
  }

  @Test
  void shouldResumeWithSettingsThatMayChange() throws IOException {
    Path run = directory.resolve("longer");
    Invocation.train(run);
    Path config = run.resolve("config.yaml");
    Files.writeString(
        config,
        Files.readString(config)
            .replace("steps: 256", "steps: 512")
            .replace("episodes: 3", "episodes: 5"));
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err())
        .contains("quantail: training.steps is 512, was 256")
        .contains("quantail: evaluation.episodes is 5, was 3");
    assertThat(resumed.json().get("steps").intValue()).isEqualTo(512);
    assertThat(resumed.json().get("evaluation").get("episodes").intValue()).isEqualTo(5);
  }

  @Test
  void shouldRefuseOtherData() throws IOException {
    Path run = directory.resolve("data");
    DataProvider.fingerprint = "old";
    try {
      assertThat(Invocation.trainOn(run, DataProvider.NAME).code()).isEqualTo(ExitCode.OK);
      makeUnfinished(run);
      assertThat(Invocation.of("resume", run.toString(), "--json").code()).isEqualTo(ExitCode.OK);
      DataProvider.fingerprint = "new";
      makeUnfinished(run);
      Refusal.require(
          Invocation.of("resume", run.toString()),
          ExitCode.DATA,
          "the data of the run "
              + run
              + " have changed: their fingerprint is new, in the snapshot"
              + " it is old");
    } finally {
      DataProvider.fingerprint = null;
    }
  }

  @Test
  void shouldWarnOfAnotherVersion() throws IOException {
    Path run = directory.resolve("versions");
    Invocation.train(run);
    SnapshotStore store = new SnapshotStore(run.resolve("snapshots"));
    Snapshot loaded = store.latest().orElseThrow();
    SnapshotInfo info = loaded.manifest().info();
    Map<String, String> versions = new HashMap<>(info.libraryVersions());
    versions.put("java", "1.0.0");
    store.write(
        loaded.state(),
        new SnapshotInfo(info.update(), info.steps(), info.configHash(), null, versions));
    makeUnfinished(run);
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err())
        .contains("quantail: the snapshot was written with java 1.0.0, this is ");
  }

  @Test
  void shouldRefuseADirectoryThatIsNoRun() {
    Refusal.require(
        Invocation.of("resume", directory.toString()),
        ExitCode.USAGE,
        directory + " is not a run: it has no config.yaml");
  }

  /** As if the process had been killed before it wrote the result. */
  private static void makeUnfinished(Path run) throws IOException {
    Files.delete(run.resolve("result.json"));
  }

  @Test
  void shouldChangeNothingInAFinishedRunAndSaySo() throws IOException {
    Path run = directory.resolve("finished");
    Invocation trained = Invocation.train(run);
    Map<Path, String> before = files(run);
    Invocation resumed = Invocation.of("resume", run.toString());

    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.out().replaceAll("\\s+", " "))
        .contains(run + " is finished after 256 steps; nothing was changed")
        .contains("raise training.steps in " + run.resolve("config.yaml"));
    assertThat(Invocation.of("resume", run.toString(), "--json").json()).isEqualTo(trained.json());
    assertThat(files(run)).isEqualTo(before);
  }

  @Test
  void shouldWriteAMissingResultOfARunThatIsTrained() throws IOException {
    Path run = directory.resolve("missing");
    Invocation trained = Invocation.train(run);
    makeUnfinished(run);
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");

    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.json().get("evaluation")).isEqualTo(trained.json().get("evaluation"));
    assertThat(resumed.json().get("alerts")).isEqualTo(trained.json().get("alerts"));
    assertThat(run.resolve("result.json")).exists();
  }

  /** All files of a run with their hashes and times. */
  private static Map<Path, String> files(Path run) throws IOException {
    Map<Path, String> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(run)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(
            file, Sha256.hex(Files.readAllBytes(file)) + " " + Files.getLastModifiedTime(file));
      }
    }
    return files;
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
