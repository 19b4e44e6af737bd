package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.config.RunConfig;
import io.quantail.env.check.CheckReport;
import io.quantail.env.check.EnvironmentChecker;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Environments of users, chosen by class name and by registered name. */
class UserEnvironmentTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"io.quantail.app.CoinEnvironment", CoinProvider.NAME})
  @Requirement("ENV-1")
  void shouldTrainAndEvaluate(String name) {
    Path run = directory.resolve("run");

    Invocation training = Invocation.trainOn(run, name);
    Invocation evaluation = Invocation.of("evaluate", "--json", run.toString());

    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    assertThat(YamlConfig.load(run.resolve("config.yaml"), List.of()).environment().name())
        .isEqualTo(name);
    assertThat(evaluation.code()).as(evaluation.err()).isEqualTo(ExitCode.OK);
    assertThat(evaluation.numbers()).isEqualTo(training.json().get("evaluation"));
    assertThat(evaluation.json().get("meanLength").doubleValue()).isEqualTo(4);
  }

  @Test
  void shouldPassTheChecker() {
    CheckReport report = EnvironmentChecker.check(new CoinProvider().factory(RunConfig.defaults()));

    assertThat(report.passed()).as(report.toString()).isTrue();
  }
}
