package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in files and on the command line. */
class BadInputTest {
  @TempDir private Path directory;
  private Path run;

  @BeforeEach
  void name() {
    run = directory.resolve("run");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--set | ppo.clipRnage=0.1 | ppo.clipRange",
        "--set | pop.clipRange=0.1 | ppo",
        "--set | ppo.clipRange=1.5 | ppo.clipRange must be in (0, 1), was 1.5",
        "--set | ppo.clipRange | --set needs path=value",
        "--set | ppo.batchSize=100 | ppo.batchSize must be a multiple of",
        "--set | network.memory=gru | network.memory must be one of",
        "--steps | 0 | training.steps must be positive, was 0",
        "--steps | -5 | training.steps must be positive, was -5",
        "--steps | abc | training.steps",
        "--seed | x | seed",
      })
  @Requirement("CLI-2")
  void shouldRefuseSetting(String option, String value, String message) {
    Invocation invocation = Invocation.train(run, option, value);

    Refusal.require(invocation, ExitCode.USAGE, message);
    assertThat(run).doesNotExist();
  }

  @Test
  @Requirement("CLI-2")
  void shouldRefuseUnknownKeyInFile() throws IOException {
    Path config = Files.writeString(directory.resolve("mine.yaml"), "ppo:\n  epoch: 3\n");

    Invocation invocation = Invocation.of("train", config.toString(), "--run", run.toString());

    Refusal.require(invocation, ExitCode.USAGE, "mine.yaml", "epoch", "epochs");
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseMissingFile() {
    Path missing = directory.resolve("missing.yaml");

    Invocation invocation = Invocation.of("train", missing.toString(), "--run", run.toString());

    Refusal.require(invocation, ExitCode.USAGE, missing + " does not exist");
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseRunDirectoryThatExists() throws IOException {
    Files.createDirectory(run);
    Files.writeString(run.resolve("notes.txt"), "mine");

    Invocation invocation = Invocation.train(run);

    Refusal.require(invocation, ExitCode.USAGE, run + " exists; choose another with --run");
    assertThat(run.toFile().list()).containsExactly("notes.txt");
  }

  @Test
  void shouldFailWhenRunDirectoryCannotBeMade() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "text");

    Invocation invocation = Invocation.train(file.resolve("below").resolve("run"));

    Refusal.require(invocation, ExitCode.FAILED, "cannot make the run directory", file.toString());
    assertThat(file).hasContent("text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--stpes", "--episodes"})
  void shouldRefuseUnknownOption(String option) {
    Invocation invocation = Invocation.train(run, option, "3");

    assertThat(invocation.err()).startsWith("Unknown option").contains(option);
    requireUsage(invocation);
  }

  @Test
  void shouldRefuseOptionWithoutValue() {
    Invocation invocation = Invocation.train(run, "--steps");

    assertThat(invocation.err()).startsWith("Missing required parameter for option '--steps'");
    requireUsage(invocation);
  }

  @Test
  void shouldRefuseEvaluateWithoutRun() {
    Invocation invocation = Invocation.of("evaluate");

    assertThat(invocation.err()).startsWith("Missing required parameter: 'RUN'");
    requireUsage(invocation);
  }

  @ParameterizedTest
  @ValueSource(strings = {"walkforward", "population"})
  void shouldRefuseToTrainManyWithoutSettings(String command) {
    Invocation invocation = Invocation.of(command, "--run", run.toString());

    assertThat(invocation.err()).startsWith("quantail: CONFIG is missing; for example configs/");
    requireUsage(invocation);
  }

  @Test
  void shouldRefuseUnknownCommand() {
    Invocation invocation = Invocation.of("tarin");

    assertThat(invocation.err()).contains("tarin").contains("train");
    requireUsage(invocation);
  }

  @Test
  void shouldShowHelpWithoutCommand() {
    Invocation invocation = Invocation.of();

    assertThat(invocation.code()).isEqualTo(ExitCode.OK);
    assertThat(invocation.out()).contains("train", "evaluate", "Exit codes:");
  }

  private void requireUsage(Invocation invocation) {
    assertThat(invocation.code()).isEqualTo(ExitCode.USAGE);
    assertThat(invocation.out()).isEmpty();
    assertThat(invocation.err()).doesNotContain("\tat ");
    assertThat(run).doesNotExist();
  }
}
