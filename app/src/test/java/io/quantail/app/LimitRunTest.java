package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

/** Every result of a run with a limit states whether the limit was kept. */
@Requirement("EVID-12")
class LimitRunTest {
  private static final String[] LIMIT = {
    "--set", "risk.mode=policy", "--set", "risk.limit=-0.004", "--without-limit"
  };

  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;

  @BeforeAll
  static void train() {
    run = directory.resolve("limited");
    training = Invocation.trainOnMarket(run, LIMIT);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldHaveTheLimitAtTheTopOfEveryJson() throws IOException {
    JsonNode limit = training.json().get("limit");
    assertThat(limit.get("measure").textValue()).isEqualTo("rewards");
    assertThat(limit.get("limit").doubleValue()).isEqualTo(-0.004);
    assertThat(limit.get("status").textValue()).isIn("kept", "broken", "undecided");
    assertThat(limit.get("low").doubleValue()).isLessThan(limit.get("high").doubleValue());
    assertThat(limit.get("parts")).hasSize(3);
    JsonNode stored = new ObjectMapper().readTree(run.resolve("result.json").toFile());
    assertThat(stored.get("limit")).isEqualTo(limit);
    assertThat(Invocation.of("evaluate", run.toString(), "--json").json().get("limit"))
        .isEqualTo(limit);
  }

  @Test
  void shouldStoreWhatTheLimitCost() throws IOException {
    JsonNode cost = training.json().get("withoutLimit");
    Path free = directory.resolve("limited-without-limit");
    assertThat(cost.get("run").textValue()).isEqualTo(free.toString());
    assertThat(cost.at("/limited/totalReturn"))
        .isEqualTo(training.json().at("/evaluation/totalReturn"));
    JsonNode other = new ObjectMapper().readTree(free.resolve("result.json").toFile());
    assertThat(cost.at("/free/totalReturn")).isEqualTo(other.at("/evaluation/totalReturn"));
    assertThat(other.at("/limit/mode").textValue()).isEqualTo("off");
    assertThat(Files.readString(free.resolve("config.yaml"))).contains("limit: -0.004");
    JsonNode stored = new ObjectMapper().readTree(run.resolve("result.json").toFile());
    assertThat(stored.get("withoutLimit")).isEqualTo(cost);
  }

  @Test
  void shouldShowTheLimitFirstInTheReportAndKeepItsBytes() throws IOException {
    Path file = run.resolve("report.html");
    byte[] before = Files.readAllBytes(file);
    Document page = Jsoup.parse(file.toFile());
    String status = training.json().at("/limit/status").textValue();
    assertThat(page.select(".promise dd").eachText())
        .satisfiesExactly(
            promised -> assertThat(promised).endsWith("not below −0.400 %"),
            measured -> assertThat(measured).startsWith(status + ": "),
            skill -> assertThat(skill).isNotEmpty());
    assertThat(page.select(".tile .beside").get(1).text()).isEqualTo("limit −0.400 %: " + status);
    assertThat(page.select("h2").eachText())
        .containsSubsequence("Price, fills and weight", "Verdict", "The limit");
    assertThat(page.text())
        .contains("October 1987", "volatility doubled", "Without the limit the same agent");
    Invocation.of("evaluate", run.toString());
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void shouldPrintLimitAndVerdictInEightyColumns() {
    String text = Invocation.of("evaluate", run.toString()).out();
    String end = text.substring(text.indexOf("\nBTCUSD, "), text.indexOf("\nreport: "));
    assertThat(end)
        .contains("\nLimit: " + training.json().at("/limit/status").textValue(), "\nVerdict\n");
    assertThat(end.lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void shouldCompareLimits() {
    Invocation text = Invocation.of("compare", run.toString(), run + "-without-limit");
    assertThat(text.out()).contains("  CVaR limit ", "  limit ", "-0.400 %", "risk.mode");
    JsonNode json = Invocation.of("compare", run.toString(), "--json").json();
    assertThat(json.at("/runs/0/limit")).isEqualTo(training.json().get("limit"));
  }

  @Test
  void shouldRefuseToCompareWithoutALimit() {
    Path other = directory.resolve("other");
    Refusal.require(
        Invocation.trainOnMarket(other, "--without-limit"),
        ExitCode.USAGE,
        "--without-limit compares with a limit, but risk.mode is off");
    assertThat(other).doesNotExist();
  }

  /** Episodes have a limit too. */
  @Test
  void shouldReportTheLimitOfEpisodesAndSweeps() throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("small.yaml"),
            """
            environment: {name: CartPole-v1, count: 4}
            network: {hidden: 8}
            critic: {quantiles: 5}
            rollout: {steps: 32}
            ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
            training: {steps: 256}
            evaluation: {episodes: 40}
            risk: {mode: policy, measure: episodes, limit: 5}
            """);
    Path sweep = directory.resolve("sweep");
    Invocation swept =
        Invocation.of(
            "sweep", config.toString(), "--seeds", "1-2", "--json", "--run", sweep.toString());
    JsonNode limit = swept.json().at("/points/0/trainings/0/limit");
    assertThat(limit.get("part").textValue()).isEqualTo("evaluation");
    assertThat(limit.get("status").textValue()).as("two in the tail").isEqualTo("undecided");
    assertThat(limit.at("/parts/0/estimate/reason").textValue())
        .isEqualTo("40 episodes have 2 in the tail; a decision needs 10, so at least 181 episodes");
    Invocation again =
        Invocation.of("sweep", config.toString(), "--seeds", "1-2", "--run", sweep.toString());
    assertThat(again.out()).contains("limit", "2 undecided");
    Document page = Jsoup.parse(sweep.resolve("report.html").toFile());
    assertThat(page.text()).contains("undecided");
    Path agent = sweep.resolve(swept.json().at("/points/0/trainings/0/run").textValue());
    assertThat(Invocation.of("evaluate", agent.toString()).out())
        .contains(
            "Limit: undecided", "It is undecided whether the limit was kept in the evaluation");
  }

  /** Each fold and the chained account. */
  @Test
  void shouldReportTheLimitOfWalkForwards() throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("walk.yaml"),
            """
            environment: {name: Market-v0, count: 4, normalizeObservations: false}
            network: {hidden: 8}
            critic: {quantiles: 5}
            rollout: {steps: 32}
            ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
            training: {steps: 256}
            market: {data: {gaps: allow}, episode: {bars: 64}, walkforward: {folds: 2, seeds: 1}}
            risk: {mode: policy, limit: -0.004}
            """);
    Path walk = directory.resolve("walk");
    Invocation walked =
        Invocation.of("walkforward", config.toString(), "--run", walk.toString(), "--json");
    assertThat(walked.code()).as(walked.err()).isEqualTo(ExitCode.OK);
    JsonNode json = walked.json();
    assertThat(json.at("/limit/status").textValue()).isIn("kept", "broken", "undecided");
    assertThat(json.at("/seeds/0/limit")).isEqualTo(json.get("limit"));
    assertThat(json.at("/folds/1/limits/1/limit").doubleValue()).isEqualTo(-0.004);
    String text = Invocation.of("walkforward", config.toString(), "--run", walk.toString()).out();
    assertThat(text).contains("  limit\n", "\nLimit: ", "\nVerdict\n");
    Document page = Jsoup.parse(walk.resolve("report.html").toFile());
    assertThat(page.select("h2").eachText()).contains("Verdict", "The limit");
    assertThat(page.text()).contains("fold 2, seed 1, test");
  }
}
