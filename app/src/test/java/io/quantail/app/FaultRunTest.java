package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.env.EnvironmentException;
import io.quantail.env.vector.EnvironmentFault;
import io.quantail.env.vector.FaultRecording;
import io.quantail.run.FaultFile;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages, snapshots and replays of runs in which environments or numbers fail. */
class FaultRunTest {
  private static final String LONG = "training.steps=" + 100 * Invocation.STEPS_PER_ITERATION;

  @TempDir private Path directory;

  @Requirement("ENV-2")
  @Test
  void shouldTrainThroughFaultsAndReplayEachOfThem() throws IOException {
    Path run = directory.resolve("run");
    Invocation training =
        Invocation.train(
            run,
            "--set",
            "environment.name=" + FlakyEnvironment.class.getName(),
            "--set",
            "environment.faults.policy=restart");
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);

    List<Path> faults = files(run.resolve("faults"));
    assertThat(faults).isNotEmpty();
    assertThat(Files.readString(run.resolve("metrics.csv")))
        .contains(",env/restarts_total," + (double) faults.size() + "\n");
    for (Path fault : faults) {
      Invocation replay = Invocation.of("replay", fault.toString(), "--json");
      assertThat(replay.code()).as(replay.out()).isEqualTo(ExitCode.OK);
      assertThat(replay.json().get("now")).isEqualTo(replay.json().get("before"));
    }
  }

  @Requirement("ENV-2")
  @Test
  void shouldPrintHowToResumeWhenAnEnvironmentFails() {
    Path run = directory.resolve("run");
    Invocation training =
        Invocation.train(
            run,
            "--set",
            "environment.name=" + FlakyEnvironment.Seldom.class.getName(),
            "--set",
            LONG);

    Path fault = run.resolve("faults").resolve("environment-");
    assertThat(training.code()).isEqualTo(ExitCode.FAILED);
    assertThat(lastLine(training))
        .matches("quantail: after update \\d+: environment \\d, episode \\d+, step \\d: .*")
        .contains("step threw java.lang.IllegalStateException: lost the coin")
        .contains("; replay it with: quantail replay " + fault)
        .contains("; the last good snapshot is that of update ")
        .endsWith("; resume with: quantail resume " + run);
    assertThat(Invocation.of("evaluate", run.toString(), "--episodes", "1").code())
        .isEqualTo(ExitCode.OK);
  }

  /** A coefficient beyond the range of single precision makes every loss infinite. */
  @Requirement("GRAD-2")
  @Test
  void shouldKeepTheRowAndTheSnapshotWhenNothingCanBeLearnt() throws IOException {
    Path run = directory.resolve("run");
    Invocation training =
        Invocation.train(
            run,
            "--set",
            "ppo.entropy.coefficient=1e300",
            "--set",
            "training.maxRefusedUpdates=2",
            "--set",
            LONG);
    assertThat(training.code()).isEqualTo(ExitCode.FAILED);
    assertThat(lastLine(training))
        .startsWith("quantail: after update 3: every optimiser step of 3 updates in a row")
        .contains(
            "the last good snapshot is that of update 3; resume with: quantail resume " + run);
    assertThat(Files.readString(run.resolve("metrics.csv")))
        .contains("3,384,error/updates_refused_in_a_row,3.0\n")
        .contains("3,384,error/optimizer_steps_refused,");
    Invocation resumed = Invocation.of("resume", run.toString());
    assertThat(resumed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(lastLine(resumed)).contains("after update 4: every optimiser step of 4 updates");
  }

  @Test
  void shouldRefuseToReplayWhatIsNoFault() throws IOException {
    Path missing = directory.resolve("missing.json");
    Refusal.require(
        Invocation.of("replay", missing.toString()), ExitCode.USAGE, missing + " does not exist");
    for (String text : List.of("", "{}", "[1]", "{\"format\": 2}", "{\"format\": \"x\"}")) {
      Path file = Files.writeString(directory.resolve("file.json"), text);
      Refusal.require(
          Invocation.of("replay", file.toString()), ExitCode.USAGE, file + " is not a fault file");
    }
  }

  private static String lastLine(Invocation invocation) {
    return invocation.err().lines().reduce("", (before, line) -> line);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Bars of five minutes are the run's own; by default there is no market at all. */
  @Test
  void shouldReplayInTheMarketOfTheRun() throws IOException {
    Path run = directory.resolve("run");
    Invocation training = Invocation.trainOnMarket(run);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    FaultRecording recording =
        new FaultRecording(1, 4, 0, 0, 0, new double[0], 0, 1, new float[] {0.5f, -0.5f}, true);
    EnvironmentFault fault =
        new EnvironmentFault(
            EnvironmentException.Kind.values()[0], 0, 0, "it fell over", recording);
    Path file = FaultFile.of("Market-v0", null, fault).writeTo(run.resolve("faults"));

    Invocation replay = Invocation.of("replay", file.toString());
    assertThat(replay.code()).as(replay.err()).isEqualTo(ExitCode.FAILED);
    assertThat(replay.out()).contains("it fell over", "in replay:  no failure");

    Path moved = Files.move(file, directory.resolve("moved.json"));
    Refusal.require(
        Invocation.of("replay", moved.toString()), ExitCode.USAGE, "name the run with --run");
    assertThat(Invocation.of("replay", moved.toString(), "--run", run.toString()).out())
        .contains("in replay:  no failure");
  }
}
