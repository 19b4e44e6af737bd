package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks where the alerts of a run appear, and that healthy runs have none. */
@Requirement("HEALTH-1")
class HealthRunTest {
  private static final Path CONFIGS = Path.of(System.getProperty("quantail.root"), "configs");

  /** The gradient norm is above a tiny limit at once, and the entropy below a huge one. */
  private static final String[] ALARMING = {
    "--set",
    "training.steps=" + 6 * Invocation.STEPS_PER_ITERATION,
    "--set",
    "health.rules.gradient-norm={threshold: 1e-9, patience: 2}",
    "--set",
    "health.rules.mine={metric: train/policy_entropy, when: below, threshold: 9, severity: info}"
  };

  @TempDir private Path directory;

  @Test
  void shouldReportAlertsOnConsoleInFilesAndInTheResult() throws IOException {
    Path run = directory.resolve("run");
    Invocation training = Invocation.train(run, ALARMING);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    assertThat(training.err().lines().filter(line -> line.contains("gradient-norm")))
        .singleElement()
        .asString()
        .startsWith("quantail: warning: gradient-norm at update 2: train/grad_norm_pre_clip is 0.")
        .hasSizeLessThanOrEqualTo(120);
    assertThat(training.err()).doesNotContain("mine");

    JsonNode alert = training.json().get("alerts").get(0);
    assertThat(alert.fieldNames())
        .toIterable()
        .containsExactly(
            "rule",
            "severity",
            "metric",
            "count",
            "firstUpdate",
            "lastUpdate",
            "lastValue",
            "active",
            "message",
            "try");
    assertThat(alert.get("rule").textValue()).isEqualTo("gradient-norm");
    assertThat(alert.get("severity").textValue()).isEqualTo("warning");
    assertThat(alert.get("count").intValue()).isEqualTo(5);
    assertThat(alert.get("firstUpdate").intValue()).isEqualTo(2);
    assertThat(alert.get("lastUpdate").intValue()).isEqualTo(6);

    List<JsonNode> lines = lines(run);
    assertThat(lines)
        .extracting(line -> line.get("rule").textValue())
        .contains("gradient-norm", "mine");
    assertThat(Files.readString(run.resolve("metrics.csv")))
        .contains("2,256,health/gradient-norm,1.0\n")
        .doesNotContain("1,128,health/gradient-norm");
  }

  @Test
  void shouldRepeatAlertsWhenAFinishedRunIsResumed() throws IOException {
    Path run = directory.resolve("run");
    Invocation training = Invocation.train(run, ALARMING);
    byte[] alerts = Files.readAllBytes(run.resolve("alerts.jsonl"));
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.json().get("alerts")).isEqualTo(training.json().get("alerts"));
    assertThat(run.resolve("alerts.jsonl")).hasBinaryContent(alerts);
    assertThat(resumed.err()).doesNotContain("gradient-norm");
  }

  @Test
  void shouldLetRulesChangeWhenARunGoesOn() throws IOException {
    Path run = directory.resolve("run");
    Invocation.train(run, ALARMING);
    Path config = run.resolve("config.yaml");
    Files.writeString(
        config,
        Files.readString(config).replace("patience: 2", "patience: 2\n      enabled: false"));
    Files.setLastModifiedTime(config, FileTime.from(Instant.now().plusSeconds(60)));
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err())
        .contains("quantail: health.rules.gradient-norm.enabled is false, was not given");
    assertThat(lines(run))
        .isNotEmpty()
        .extracting(line -> line.get("rule").textValue())
        .doesNotContain("gradient-norm");
  }

  @Test
  void shouldRefuseAnInvalidRuleBeforeTraining() {
    Path run = directory.resolve("run");
    Refusal.require(
        Invocation.train(run, "--set", "health.rules.gradiant-norm.threshold=3"),
        ExitCode.USAGE,
        "health.rules.gradiant-norm is no built-in rule and has no metric; did you mean"
            + " gradient-norm?");
    assertThat(run).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic/cartpole.yaml", "market/btc-demo.yaml"})
  void shouldStaySilentInAHealthyRunCutShort(String config) throws IOException {
    assertThat(alarms(config, "--steps", "20480")).isEmpty();
  }

  @Tag("learning")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "classic/cartpole.yaml",
        "classic/cartpole-no-velocity.yaml",
        "classic/pendulum.yaml",
        "market/btc-demo.yaml",
        "risk/tail-bandit.yaml",
        "risk/exposure.yaml",
        "risk/coin-chain.yaml"
      })
  void shouldStaySilentInAHealthyRun(String config) throws IOException {
    assertThat(alarms(config)).isEmpty();
  }

  /** Warnings and errors of a shipped configuration. */
  private List<JsonNode> alarms(String config, String... more) throws IOException {
    Path run = directory.resolve("healthy");
    List<String> arguments =
        new ArrayList<>(List.of("train", CONFIGS.resolve(config).toString(), "--json"));
    arguments.addAll(List.of("--run", run.toString(), "--set", "evaluation.episodes=1"));
    arguments.addAll(List.of(more));
    Invocation training = Invocation.of(arguments.toArray(String[]::new));
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    return lines(run).stream()
        .filter(line -> !line.get("severity").textValue().equals("info"))
        .toList();
  }

  private static List<JsonNode> lines(Path run) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(run.resolve("alerts.jsonl"))) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
