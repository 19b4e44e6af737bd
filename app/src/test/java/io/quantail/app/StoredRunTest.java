package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that an older build wrote and that were killed after their eighth update.
 *
 * <p>Both used parts of the learner that libtorch computed then: a clipped critic and a constraint
 * on the predicted CVaR. The numbers expected here are those of the build that wrote them.
 */
@Requirement("CKPT-1")
class StoredRunTest {
  @TempDir Path directory;

  @Test
  void shouldEvaluateAMarketRunOfAnOlderBuild() throws Exception {
    Path run = copy("libtorch-market", directory);
    Map<String, String> before = files(run);
    Invocation evaluated = Invocation.of("evaluate", run.toString(), "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    assertThat(evaluated.json().path("totalReturn").doubleValue()).isEqualTo(-0.06483347287710561);
    assertThat(evaluated.json().path("symbols").path(0).path("forecast").isNull()).isTrue();
    assertThat(files(run)).containsAllEntriesOf(before);
  }

  @Test
  void shouldSignalWithAMarketRunOfAnOlderBuild() throws Exception {
    Path run = copy("libtorch-market", directory);
    Map<String, String> before = files(run);
    Invocation signal =
        Invocation.of(
            "signal", run.toString(), "--data", "demo:btc", "--now", "last-bar", "--json");
    assertThat(signal.code()).as(signal.err()).isEqualTo(ExitCode.OK);
    JsonNode decision = signal.json();
    assertThat(decision.path("targetWeight").doubleValue()).isEqualTo(0.5175193753093481);
    assertThat(decision.path("forecast").isNull()).as("it learnt none").isTrue();
    JsonNode expected = decision.path("expected");
    assertThat(expected.path("mean").doubleValue())
        .isCloseTo(-0.18580598299940215, within(1e-7)); // of the critic with the lower mean
    assertThat(expected.path("cvar").doubleValue()).isCloseTo(-0.5953250544454548, within(1e-7));
    assertThat(files(run)).isEqualTo(before);
  }

  @Test
  void shouldEvaluateAClassicRunOfAnOlderBuild() throws Exception {
    Path run = copy("libtorch-cartpole", directory);
    Invocation evaluated = Invocation.of("evaluate", run.toString(), "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    assertThat(evaluated.json().path("meanReturn").doubleValue()).isEqualTo(86.0 / 3);
  }

  /**
   * The critics of format 1 regress on GAE returns and have no mean heads. They do so still: the
   * numbers are those with which the build that wrote the run finished it.
   */
  @Test
  void shouldEvaluateAndResumeARunOfFormatOneAsItWas() throws Exception {
    Path run = copy("format-1", directory);
    Invocation evaluated = Invocation.of("evaluate", run.toString(), "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    assertThat(evaluated.json().path("meanReturn").doubleValue()).isEqualTo(115.0 / 3);

    Path config = run.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("steps: 128\n", "steps: 256\n"));
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err()).contains("training.steps is 256, was 128").doesNotContain("critic.");
    assertThat(resumed.json().path("evaluation").path("meanReturn").doubleValue())
        .isEqualTo(92.0 / 3);
    Map<String, Double> last = update(run, 4);
    assertThat(last.get("train/value_ce_loss")).isCloseTo(0.6600252133946469, within(1e-5));
    assertThat(last.get("train/loss")).isCloseTo(0.3292786524695473, within(1e-5));
    assertThat(last.get("train/ret_std_candidate")).isCloseTo(3.6459309520007137, within(1e-5));
    assertThat(last.get("train/critic1_grad_norm")).isCloseTo(0.06672721498297496, within(1e-5));
    assertThat(last).containsEntry("train/critic/mean_head_loss", 0.0);
  }

  /** The metrics of an update. */
  private static Map<String, Double> update(Path run, int number) throws IOException {
    Map<String, Double> metrics = new TreeMap<>();
    for (String line : Files.readAllLines(run.resolve("metrics.csv"))) {
      String[] cells = line.split(",");
      if (cells[0].equals(String.valueOf(number))) {
        metrics.put(cells[2], Double.valueOf(cells[3]));
      }
    }
    return metrics;
  }

  @Test
  void shouldResumeARunOfAnOlderBuildAndSayWhatMayDiffer() throws Exception {
    Path run = copy("libtorch-market", directory);
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.json().path("steps").longValue()).isEqualTo(16_384);
    assertThat(resumed.err())
        .contains(
            "the snapshot was written with cpuCapability AVX512, libtorch 2.10.0, which this"
                + " version does not use; results may differ");
  }

  /** The constraint had no path to the policy: the run evaluates, but does not train on. */
  @Test
  @Requirement("CVAR-3")
  void shouldRefuseToResumeARunWhoseLimitCannotReachThePolicy() throws Exception {
    Path run = copy("libtorch-cartpole", directory);
    Map<String, String> before = files(run);
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).isEqualTo(ExitCode.USAGE);
    assertThat(resumed.err())
        .contains(
            "risk.mode constraint acts on the critics alone while network.sharedMemory is false")
        .contains("set network.sharedMemory to true, or risk.mode to policy");
    assertThat(files(run)).isEqualTo(before);
  }

  /** A copy of a stored run that a test may change. */
  static Path copy(String name, Path directory) throws IOException, URISyntaxException {
    Path stored = Path.of(StoredRunTest.class.getResource("/stored-runs/" + name).toURI());
    Path run = directory.resolve(name);
    try (Stream<Path> all = Files.walk(stored)) {
      for (Path file : all.toList()) {
        Files.copy(file, run.resolve(stored.relativize(file).toString()));
      }
    }
    return run;
  }

  /** Contents by name. */
  static Map<String, String> files(Path run) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(run)) {
      for (Path file :
          all.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock")).toList()) {
        contents.put(
            run.relativize(file).toString(),
            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }
}
