package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateTest {
  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;

  @BeforeAll
  static void train() {
    run = directory.resolve("run");
    training = Invocation.train(run, "--seed", "3");
  }

  @Test
  void shouldGiveNumbersOfTrainEachTime() {
    Invocation first = evaluate();
    Invocation second = evaluate();

    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.out().lines()).hasSize(1);
    assertThat(first.err()).isEmpty();
    assertThat(first.numbers()).isEqualTo(training.json().get("evaluation"));
    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldPlayOtherEpisodesWithOtherSeed() {
    assertThat(evaluate("--seed", "4").json()).isNotEqualTo(evaluate().json());
  }

  @Test
  void shouldPlayAsManyEpisodesAsAsked() {
    assertThat(evaluate("--episodes", "5").json().get("episodes").intValue()).isEqualTo(5);
  }

  @Test
  void shouldDrawActionsWhenAsked() {
    assertThat(evaluate("--sampled").json()).isNotEqualTo(evaluate().json());
  }

  @Test
  void shouldPlayInAnotherEnvironmentWithTheSameSpaces() {
    Invocation same = evaluate("--environment", "CartPoleNoVelocity-v1");
    assertThat(same.numbers()).isEqualTo(training.json().get("evaluation"));

    Invocation other = evaluate("--environment", "Pendulum-v1");
    assertThat(other.code()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err())
        .contains("Pendulum-v1 has 3 observations")
        .contains("the run's CartPoleNoVelocity-v1 has 2")
        .hasLineCount(1);
  }

  @Test
  void shouldSumUpForPersonAndLeaveTheReportOfTheTrainingAlone() throws IOException {
    byte[] report = Files.readAllBytes(run.resolve("report.html"));
    Invocation invocation = Invocation.of("evaluate", run.toString(), "--episodes", "3");

    assertThat(invocation.out()).contains("over 3 deterministic episodes").hasLineCount(3);
    assertThat(invocation.out().lines().reduce("", (before, line) -> line))
        .isEqualTo("report: " + run.resolve("report-evaluation.html"));
    assertThat(run.resolve("report.html")).hasBinaryContent(report);
  }

  private static Invocation evaluate(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "evaluate";
    arguments[1] = run.toString();
    arguments[2] = "--json";
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Invocation.of(arguments);
  }
}
