package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An environment that breaks the contract stops the run at once and leaves nothing behind. */
class BadEnvironmentTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NanAtReset          | step 0: observation[0] was NaN, must be finite; correct the",
        "NanAtStep           | step 3: observation[0] was NaN, must be finite; correct the",
        "NanReward           | step 3: reward was NaN, must be finite; correct the",
        "WrongLength         | step 3: observation had 2 components, must have 1; correct the",
        "Throwing            | step 3: step threw java.lang.IllegalStateException: lost the coin",
        "ThrowingConstructor | ThrowingConstructor threw java.lang.IllegalStateException: no coin at",
        "NullActions         | acts in null; it needs",
        "UnboundedActions    | finite bounds with low < high; dimension 0 was given [-Infinity,",
        "OneAction           | has 2 to 16777216 actions, was given 1; correct the environment",
      })
  void shouldReportTheViolationOfTheContract(String name, String message) {
    Path run = directory.resolve("run");

    Invocation invocation =
        Invocation.trainOn(run, BrokenEnvironments.class.getName() + "$" + name);

    Refusal.require(invocation, ExitCode.FAILED, "environment ", message);
    assertThat(run).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CartPol-v1 | no environment is named \"CartPol-v1\"; did you mean \"CartPole-v1\"?",
        "Coin-v1 | no environment is named \"Coin-v1\"; did you mean \"Coin-v0\"?",
        "io.quantail.app.BrokenEnvironments$NoConstructor | needs a public constructor without",
        "java.lang.String | must be public and implement io.quantail.env.Environment",
      })
  void shouldRefuseNameItCannotUse(String name, String message) {
    Path run = directory.resolve("run");

    Invocation invocation = Invocation.trainOn(run, name);

    Refusal.require(invocation, ExitCode.USAGE, name, message);
    assertThat(run).doesNotExist();
  }
}
