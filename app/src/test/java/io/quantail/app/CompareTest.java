package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons of runs by the command {@code compare}. */
@Requirement("REP-1")
class CompareTest {
  @TempDir private static Path directory;
  private static Path first;
  private static Path second;
  private static Path market;
  private static Invocation training;

  @BeforeAll
  static void train() {
    first = directory.resolve("first");
    second = directory.resolve("second");
    market = directory.resolve("market");
    training = Invocation.train(first);
    Invocation.train(second, "--seed", "7", "--set", "ppo.clipRange=0.1");
    Invocation.trainOnMarket(market);
  }

  @Test
  void shouldShowResultsAndWhatDiffers() {
    JsonNode result = compare("--json", first, second).json();
    JsonNode run = result.get("runs").get(0);
    assertThat(run.get("run").textValue()).isEqualTo(first.toString());
    assertThat(run.get("finished").booleanValue()).isTrue();
    assertThat(run.get("steps").longValue()).isEqualTo(training.json().get("steps").longValue());
    assertThat(run.get("updates").longValue()).isEqualTo(2);
    assertThat(run.get("evaluation")).isEqualTo(training.json().get("evaluation"));
    assertThat(run.get("alerts")).isEqualTo(training.json().get("alerts"));
    assertThat(run.get("metrics").get("rollout/ep_rew_mean").doubleValue())
        .isEqualTo(lastInLog(first, "rollout/ep_rew_mean"));
    assertThat(result.get("settings").fieldNames())
        .toIterable()
        .containsExactly("ppo.clipRange", "seed");
    assertThat(result.at("/settings/seed").toString()).isEqualTo("[\"1\",\"7\"]");
    assertThat(result.get("notes")).isEmpty();
    assertThat(result.get("report").isNull()).isTrue();
  }

  private static double lastInLog(Path run, String metric) {
    try {
      return Files.readAllLines(run.resolve("metrics.csv")).stream()
          .filter(line -> line.contains("," + metric + ","))
          .map(line -> Double.valueOf(line.split(",")[3]))
          .reduce((before, value) -> value)
          .orElseThrow();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void shouldPrintText() {
    Invocation invocation = compare("", first, second);
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    assertThat(invocation.out().lines().map(line -> line.strip().replaceAll(" {2,}", "|")))
        .contains(
            "first|second",
            "seed|1|7",
            "settings that differ|first|second",
            "ppo.clipRange|{from: 0.2, to: 0, shape: linear}|0.1");
    assertThat(compare("", first).out()).contains("all settings are the same");
  }

  @Test
  void shouldNoteResultsThatCannotBeCompared() {
    Invocation invocation = compare("", first, market);
    assertThat(invocation.out().replaceAll("\\s+", " "))
        .contains(
            "note: these runs are on different environments (CartPoleNoVelocity-v1, Market-v0)")
        .contains("buy-and-hold", "evaluation, mean return");
  }

  @Test
  void shouldNoteThatARunHasNotEnded() throws IOException {
    Path unfinished = directory.resolve("unfinished");
    Invocation.train(unfinished);
    Files.delete(unfinished.resolve("result.json"));
    Files.delete(unfinished.resolve("metrics.parquet"));
    Path log = unfinished.resolve("metrics.csv");
    Files.writeString(log, Files.readString(log) + "3,384,rollout/ep_re");
    JsonNode result = compare("--json", first, unfinished).json();
    JsonNode run = result.get("runs").get(1);
    assertThat(run.get("finished").booleanValue()).isFalse();
    assertThat(run.get("evaluation").isNull()).isTrue();
    assertThat(run.get("metrics")).as("read from the log").isEqualTo(result.at("/runs/0/metrics"));
    assertThat(run.get("updates").longValue()).isEqualTo(2);
    assertThat(result.get("notes").get(0).textValue())
        .contains("unfinished has not ended", "quantail resume " + unfinished);
  }

  @Test
  void shouldDrawLearningCurvesOverEachOther() throws IOException {
    Path page = directory.resolve("pages").resolve("compare.html");
    Invocation invocation = compare("--report=" + page, first, second, market);
    assertThat(invocation.out()).endsWith("\nreport: %s%n".formatted(page));
    Document parsed = Jsoup.parse(Files.readString(page));
    assertThat(parsed.select("h2").eachText())
        .containsExactly(
            "Results",
            "Equity, drawdown and weight",
            "Sharpe ratio, volatility and beta over time",
            "Distribution of returns",
            "Returns by day",
            "Regimes",
            "Learning curves",
            "Settings that differ",
            "Each run",
            "market",
            "Price, fills and weight",
            "Equity and drawdown",
            "Returns by day",
            "Sharpe ratio, volatility and beta of the last 71 bars",
            "Distribution of returns",
            "Costs, turnover and positions",
            "Regimes",
            "Numbers");
    assertThat(parsed.select("figcaption:containsOwn(fills)").text())
        .as("forecasts and orders are read from files")
        .containsPattern("Close with [\\d,]+ fills.* [\\d,]+ of [\\d,]+ returns fell to or below");
    assertThat(
            parsed.select("h3:containsOwn(Deepest drawdown of each run) + div tbody th").eachText())
        .as("the only run on a market")
        .isSubsetOf("market");
    assertThat(parsed.select("thead th").eachText()).contains("first", "second", "market");
    assertThat(parsed.getElementById("data").data())
        .contains("\"name\":\"first\"", "\"name\":\"second\"", "\"name\":\"market\"");
    Refusal.require(
        compare("--report=" + page, first), ExitCode.USAGE, "exists; choose another name");
  }

  @Test
  void shouldRefuseADirectoryThatIsNotARun() {
    Refusal.require(compare("", first, directory), ExitCode.USAGE, directory + " is not a run");
    Path missing = directory.resolve("missing");
    Refusal.require(compare("", missing), ExitCode.USAGE, missing + " is not a run");
    assertThat(Invocation.of("compare").code()).isEqualTo(ExitCode.USAGE);
  }

  private static Invocation compare(String option, Path... runs) {
    List<String> arguments = new ArrayList<>(List.of("compare"));
    if (!option.isEmpty()) {
      arguments.add(option);
    }
    for (Path run : runs) {
      arguments.add(run.toString());
    }
    return Invocation.of(arguments.toArray(String[]::new));
  }
}
