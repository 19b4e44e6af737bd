package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that cannot be evaluated. */
class BadRunTest {
  @TempDir private Path directory;
  private Path run;

  @BeforeEach
  void train() {
    run = directory.resolve("run");
    Invocation training = Invocation.train(run);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldRefuseDirectoryThatIsNoRun() {
    Refusal.require(evaluate(directory), ExitCode.USAGE, directory + " is not a run");
    Path missing = directory.resolve("missing");
    Refusal.require(evaluate(missing), ExitCode.USAGE, missing + " is not a run");
  }

  @Test
  void shouldRefuseRunWithoutSnapshot() throws IOException {
    Files.move(run.resolve("snapshots"), directory.resolve("elsewhere"));

    Refusal.require(evaluate(run), ExitCode.USAGE, "the run " + run + " has no snapshot yet");
  }

  @Test
  void shouldFallBackToTheSnapshotBeforeADamagedOne() throws IOException {
    List<Path> weights = weights();
    damage(weights.get(weights.size() - 1));

    Invocation invocation = evaluate(run);
    assertThat(invocation.code()).isEqualTo(ExitCode.OK);
    assertThat(invocation.err()).startsWith("quantail: ").contains("sha256");
  }

  @Test
  void shouldRefuseARunWithoutAGoodSnapshot() throws IOException {
    for (Path weights : weights()) {
      damage(weights);
    }

    Refusal.require(evaluate(run), ExitCode.FAILED, weights().get(0).toString(), "sha256");
  }

  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void shouldRefuseSnapshotOfOtherNetwork() throws IOException {
    Path config = run.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("hidden: 8", "hidden: 16"));

    Refusal.require(
        evaluate(run),
        ExitCode.USAGE,
        "has been changed since the snapshot was written: network.hidden is 16, was 8");
  }

  @Test
  void shouldRefuseNoEpisodes() {
    Refusal.require(
        Invocation.of("evaluate", run.toString(), "--episodes", "0"),
        ExitCode.USAGE,
        "evaluation.episodes must be at least 1, was 0");
  }

  private static Invocation evaluate(Path directory) {
    return Invocation.of("evaluate", directory.toString(), "--json");
  }

  /** The states of all snapshots, oldest first. */
  private List<Path> weights() {
    try (Stream<Path> files = Files.walk(run)) {
      return files.filter(file -> file.endsWith("state.safetensors")).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
