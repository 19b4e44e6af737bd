package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.Main;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DashboardCommandTest {
  private final StringWriter errors = new StringWriter();
  @TempDir private Path directory;

  @Requirement("DASH-1")
  @Test
  void shouldRefuseInvalidOptions() {
    assertThat(execute("dashboard", directory.resolve("nothing").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains("there is no directory " + directory.resolve("nothing"));
    assertThat(execute("dashboard", directory.toString(), "--host", "0.0.0.0", "--token", ""))
        .isEqualTo(ExitCode.USAGE);
    assertThat(execute("dashboard", directory.toString(), "--port", "70000"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(errors.toString()).contains("--port must be in 0 to 65535, was 70000");
  }

  /** The run is that of one without a dashboard, byte for byte. */
  @Requirement("CLI-1")
  @Test
  void shouldShowARunWhileItTrains() throws Exception {
    String config =
        Files.writeString(
                directory.resolve("small.yaml"),
                "{environment: {name: CartPole-v1, count: 2}, network: {hidden: 8}, rollout: {steps:"
                    + " 32}, ppo: {batchSize: 32, sequenceLength: 8}, training: {steps: 128, threads:"
                    + " 1}, evaluation: {episodes: 1}}")
            .toString();
    Path shown = directory.resolve("shown");
    Path plain = directory.resolve("plain");
    assertThat(execute("train", config, "--run", shown.toString(), "--dashboard"))
        .isEqualTo(ExitCode.OK);
    assertThat(errors.toString()).containsPattern("quantail: dashboard: http://127.0.0.1:\\d+/");
    assertThat(execute("train", config, "--run", plain.toString())).isEqualTo(ExitCode.OK);
    assertThat(shown.resolve("metrics.csv")).hasSameBinaryContentAs(plain.resolve("metrics.csv"));
    assertThat(execute("resume", shown.toString(), "--dashboard")).isEqualTo(ExitCode.OK);
  }

  private int execute(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(new StringWriter()));
    commandLine.setErr(new PrintWriter(errors, true));
    return commandLine.execute(arguments);
  }
}
