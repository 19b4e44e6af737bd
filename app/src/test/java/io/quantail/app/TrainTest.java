package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.common.ExitCode;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainTest {
  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;

  @BeforeAll
  static void train() {
    run = directory.resolve("parent").resolve("run");
    training = Invocation.train(run, "--seed", "7", "--set", "ppo.clipRange=0.15");
  }

  @Test
  void shouldSucceed() {
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldWriteEveryFileOfTheRun() throws IOException {
    try (Stream<Path> files = Files.walk(run)) {
      assertThat(files.filter(Files::isRegularFile).map(file -> run.relativize(file).toString()))
          .allSatisfy(file -> assertThat(run.resolve(file)).exists())
          .filteredOn(file -> !file.endsWith("lock"))
          .satisfiesExactlyInAnyOrder(
              file -> assertThat(file).isEqualTo("config.yaml"),
              file -> assertThat(file).isEqualTo("run.json"),
              file -> assertThat(file).isEqualTo("status.json"),
              file -> assertThat(file).isEqualTo("spaces.json"),
              file -> assertThat(file).isEqualTo("metrics.csv"),
              file -> assertThat(file).isEqualTo("clock.csv"),
              file -> assertThat(file).isEqualTo("files.sha256"),
              file -> assertThat(file).isEqualTo("alerts.jsonl"),
              file -> assertThat(file).isEqualTo("metrics.parquet"),
              file -> assertThat(file).isEqualTo("report.html"),
              file -> assertThat(file).isEqualTo("result.json"),
              file -> assertThat(file).startsWith("tensorboard/events.out.tfevents."),
              file -> assertThat(file).isEqualTo("snapshots/LATEST"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000001/clock.sha256"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000002/clock.sha256"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000001/manifest.json"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000001/state.safetensors"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000002/manifest.json"),
              file -> assertThat(file).isEqualTo("snapshots/update-00000002/state.safetensors"));
    }
  }

  @Test
  void shouldPrintNothingButOneLineOfJson() {
    assertThat(training.out().lines()).hasSize(1);
    JsonNode result = training.json();
    assertThat(result.fieldNames())
        .toIterable()
        .containsExactly(
            "run",
            "steps",
            "seconds",
            "stepsPerSecond",
            "agent",
            "evaluation",
            "alerts",
            "report",
            "limit");
    assertThat(result.get("run").textValue()).isEqualTo(run.toString());
    assertThat(result.get("steps").longValue()).isEqualTo(2 * Invocation.STEPS_PER_ITERATION);
    assertThat(result.get("seconds").doubleValue()).isPositive();
    assertThat(result.get("stepsPerSecond").doubleValue() * result.get("seconds").doubleValue())
        .isBetween(255.9, 256.1);
    assertThat(result.get("alerts").isArray()).isTrue();
    assertThat(result.get("agent").toString())
        .isEqualTo(
            "{\"keep\":\"last\",\"update\":2,\"updates\":2,\"ended\":\"steps\",\"validation\":null}");
  }

  @Test
  void shouldReportEvaluation() {
    JsonNode evaluation = training.json().get("evaluation");
    assertThat(evaluation.get("episodes").intValue()).isEqualTo(3);
    // A step of CartPole pays 1, an episode lasts 500 at most.
    assertThat(evaluation.get("meanReturn").doubleValue()).isBetween(1.0, 500.0);
    assertThat(evaluation.get("meanReturn")).isEqualTo(evaluation.get("meanLength"));
    assertThat(evaluation.get("stdReturn").doubleValue()).isBetween(0.0, 500.0);
  }

  @Test
  void shouldKeepResultInRun() throws IOException {
    assertThat(new ObjectMapper().readTree(run.resolve("result.json").toFile()))
        .isEqualTo(training.json());
  }

  @Test
  @Requirement("CLI-2")
  void shouldStoreResolvedConfig() {
    RunConfig stored = YamlConfig.load(run.resolve("config.yaml"), List.of());

    assertThat(stored.seed()).isEqualTo(7);
    assertThat(stored.ppo().clipRange().is(0.15)).isTrue();
    assertThat(stored.training().steps()).isEqualTo(256);
    assertThat(stored.optimizer().learningRate()).as("from the file").isEqualTo(0.001);
    assertThat(run.resolve("config.yaml")).hasContent(YamlConfig.toStoredYaml(stored));
    assertThat(run.resolve("config.yaml")).content().startsWith("format: 3\nseed: 7\n");
  }

  @Test
  @Requirement("CLI-2")
  void shouldStoreSeedVersionsAndConfigHash() throws Exception {
    JsonNode stored = new ObjectMapper().readTree(run.resolve("run.json").toFile());

    String hash = ConfigDiff.hash(YamlConfig.loadStored(run.resolve("config.yaml")));
    assertThat(stored.get("seed").longValue()).isEqualTo(7);
    assertThat(stored.get("configHash").textValue()).isEqualTo(hash);
    assertThat(stored.get("versions").fieldNames())
        .toIterable()
        .contains("quantail", "java", "platform");
    assertThat(stored.get("versions").get("java").textValue())
        .isEqualTo(Runtime.version().toString());
  }

  @Test
  void shouldTrainTheDemoAndSumUpForPerson() throws IOException {
    Path other = directory.resolve("other");

    Invocation invocation = Invocation.of("train", "--steps", "6144", "--run", other.toString());

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    assertThat(invocation.out())
        .contains("Market-v0, seed 1: 6,144 steps", "  evaluation  ", "  buy-and-hold ")
        .contains("tensorboard --logdir " + other)
        .containsPattern(
            "(?m)^Limit -1\\.00 % (kept|undecided|broken): CVaR -[\\d.]+ % \\[-[\\d.]+, -[\\d.]+];"
                + " fell [\\d.]+ % in 2008, held [\\d.]+ %$")
        .containsPattern("\\n(No skill|Skill )[^:]+: (earned|lost) [\\d.]+ % after costs;")
        .contains("  GOOG        2007-08-13  ");
    Document page = Jsoup.parse(other.resolve("report.html").toFile());
    assertThat(page.select("header .kept h3").eachText())
        .hasSize(2)
        .satisfies(
            titles -> {
              assertThat(titles.get(0)).startsWith("CVaR 5 % of bars: limit −1.00 %, ");
              assertThat(titles.get(1)).matches("Drawdown in 2008: agent −\\S+ %, held −\\S+ %");
            });
    assertThat(page.select("header .kept svg text").eachText())
        .contains("limit −1.00 %", "2008-01-02", "2008-12-31");
    assertThat(page.select("header .kept path")).hasSize(3);
    assertThat(invocation.out().lines().filter(line -> !line.contains(other.toString())))
        .as("a console of 80 columns")
        .allSatisfy(
            line -> assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(80));
    assertThat(invocation.err().lines())
        .singleElement()
        .asString()
        .startsWith("100 %  6,144 steps  return ");
  }
}
