package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("ROB-2")
class RobustnessCommandTest {
  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;

  @BeforeAll
  static void train() {
    run = directory.resolve("run");
    training = Invocation.train(run, "--seed", "3");
  }

  @Test
  void shouldMeasureReturnAgainstStrength() throws IOException {
    Invocation measured =
        Invocation.of("robustness", run.toString(), "--epsilon", "0.1,0.5", "--json");
    assertThat(measured.code()).as(measured.err()).isEqualTo(ExitCode.OK);
    JsonNode rows = measured.json().get("rows");
    assertThat(rows).hasSize(7);
    assertThat(rows.get(0).get("attack").asText()).isEqualTo("none");
    assertThat(rows.get(0).get("evaluation")).isEqualTo(training.json().get("evaluation"));
    assertThat(rows.get(6).get("attack").asText()).isEqualTo("pgd-10");
    assertThat(rows.get(6).get("epsilon").asDouble()).isEqualTo(0.5);
    assertThat(Files.readAllLines(run.resolve("robustness.csv"))).hasSize(8);
    assertThat(run.resolve("robustness.json")).exists();
    Path page = Path.of(measured.json().get("report").asText());
    assertThat(page).isEqualTo(run.resolve("robustness.html"));
    Document shown = Jsoup.parse(page.toFile());
    assertThat(shown.select("tbody tr")).hasSize(7);
    assertThat(shown.select("[data-chart]")).hasSize(2);
    JsonNode data = new ObjectMapper().readTree(shown.getElementById("data").data());
    JsonNode charts = data.get("charts");
    assertThat(charts.at("/0/series").findValuesAsText("name"))
        .containsExactly("random", "fgsm", "pgd-10");
    assertThat(data.get("positions").get(charts.at("/0/series/2/x").intValue()).toString())
        .isEqualTo("[0,0.1,0.5]");
    assertThat(charts.at("/0/series/2/y/2").asDouble())
        .isCloseTo(rows.get(6).at("/evaluation/meanReturn").asDouble(), within(1e-4));
    byte[] before = Files.readAllBytes(page);
    Invocation.of("robustness", run.toString(), "--epsilon", "0.1,0.5");
    assertThat(page).hasBinaryContent(before);
  }

  @Test
  void shouldShowATable() {
    Invocation shown =
        Invocation.of("robustness", run.toString(), "--attack", "none,pgd-2", "--epsilon", "0.3");
    assertThat(shown.code()).as(shown.err()).isEqualTo(ExitCode.OK);
    assertThat(shown.out()).contains("3 episodes").contains("pgd-2").contains("0.3");
    assertThat(shown.out().strip()).endsWith("report: " + run.resolve("robustness.html"));
  }

  @Test
  void shouldMeasureOnAMarket() {
    Path market = directory.resolve("market");
    assertThat(Invocation.trainOnMarket(market).code()).isEqualTo(ExitCode.OK);
    Invocation measured =
        Invocation.of(
            "robustness",
            market.toString(),
            "--attack",
            "none,pgd-2",
            "--split",
            "validation",
            "--epsilon",
            "0.3",
            "--json");
    assertThat(measured.code()).as(measured.err()).isEqualTo(ExitCode.OK);
    JsonNode rows = measured.json().get("rows");
    assertThat(rows.get(0).get("evaluation").get("episodes").asInt()).isEqualTo(1);
    assertThat(rows.get(1).get("evaluation")).isNotEqualTo(rows.get(0).get("evaluation"));
  }

  @Test
  void shouldRefuseInvalidOptions() {
    Refusal.require(
        Invocation.of("robustness", run.toString(), "--attack", "laser"),
        ExitCode.USAGE,
        "an attack must be none, random, fgsm or pgd-N");
    Refusal.require(
        Invocation.of("robustness", run.toString(), "--epsilon", "-1"),
        ExitCode.USAGE,
        "--epsilon must be at least 0, was -1");
    Refusal.require(
        Invocation.of("robustness", run.toString(), "--split", "test"),
        ExitCode.USAGE,
        "--split is for runs on a market");
  }
}
