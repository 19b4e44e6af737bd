package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.common.ExitCode;
import io.quantail.market.ledger.Ledger;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
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
    System.setProperty(Ledger.PROPERTY, directory.resolve("ledger").toString());
    run = directory.resolve("limited");
    training = Invocation.trainOnMarket(run, LIMIT);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @AfterAll
  static void useOtherLedger() {
    System.clearProperty(Ledger.PROPERTY);
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
    assertThat(page.select("section:has(h2:matches(^The limit$)) li").text())
        .contains("Losses exceeded the forecast VaR at 5 %");
    Invocation.of("evaluate", run.toString());
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void shouldPrintLimitAndVerdictInEightyColumns() {
    String text = Invocation.of("evaluate", run.toString()).out();
    String end = text.substring(text.indexOf("\nBTCUSD, "), text.indexOf("\nreport: "));
    assertThat(end)
        .contains("\nLimit: " + training.json().at("/limit/status").textValue(), "\nVerdict\n");
    assertThat(end.replaceAll("\\s+", " "))
        .containsPattern("Losses exceeded the forecast VaR at 5 % in [\\d.]+ % of [\\d,]+ bars; ");
    assertThat(
            end.lines()
                .dropWhile(line -> !line.startsWith("  Losses"))
                .takeWhile(l -> !l.isEmpty()))
        .as("at most two lines")
        .hasSizeLessThanOrEqualTo(2);
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

  /** Writes the configuration of a training of a moment. */
  private static Path small(String name, String more) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        """
        network: {hidden: 8}
        critic: {quantiles: 5}
        rollout: {steps: 32}
        ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
        """
            + more);
  }

  /** The same on the embedded bars, under a limit. */
  private static Path market(String name, String more) throws IOException {
    return small(
        name,
        """
        environment: {name: Market-v0, count: 4, normalizeObservations: false}
        risk: {mode: policy, limit: -0.004}
        """
            + more);
  }

  /** Episodes have a limit too. */
  @Test
  void shouldReportTheLimitOfEpisodesAndSweeps() throws IOException {
    Path config =
        small(
            "small.yaml",
            """
            environment: {name: CartPole-v1, count: 4}
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
    compareSweep(config, sweep, swept.json());
  }

  /** The sweep above once more, with the agents that have no limit. */
  private static void compareSweep(Path config, Path sweep, JsonNode before) throws IOException {
    String[] again = {
      "sweep", config.toString(), "--seeds", "1-2", "--run", sweep.toString(), "--without-limit"
    };
    Invocation both = Invocation.of(again);
    assertThat(both.code()).as(both.err()).isEqualTo(ExitCode.OK);
    assertThat(both.err()).contains("2 of 4 agents are trained already");
    assertThat(both.out()).contains("\nWhat the limit cost", "  point ", " with it, ");
    JsonNode stored = new ObjectMapper().readTree(sweep.resolve("results.json").toFile());
    assertThat(stored.get("points"))
        .as("the choice is among the others")
        .isEqualTo(before.get("points"));
    JsonNode pairs = stored.at("/withoutLimit/agents");
    assertThat(pairs).hasSize(2);
    assertThat(pairs.at("/1/cost/run").textValue()).isEqualTo("runs/seed-2-without-limit");
    assertThat(pairs.at("/1/cost/free/limit/mode").textValue()).isEqualTo("off");
    assertThat(pairs.at("/1/cost/limited/totalReturn"))
        .isEqualTo(before.at("/points/0/trainings/1/score"));
    assertThat(Jsoup.parse(sweep.resolve("report.html").toFile()).select("h3").eachText())
        .contains("What the limit cost");
    Refusal.require(
        Invocation.of(
            "sweep",
            config.toString(),
            "--grid",
            "risk.mode=policy,off",
            "--run",
            directory.resolve("never").toString(),
            "--without-limit"),
        ExitCode.USAGE,
        "--grid varies risk.mode; leave one of them out");
    assertThat(directory.resolve("never")).doesNotExist();
  }

  /** Each fold and the chained account. */
  @Test
  void shouldReportTheLimitOfWalkForwards() throws IOException {
    Path config =
        market(
            "walk.yaml",
            """
            training: {steps: 256}
            market: {data: {gaps: allow}, episode: {bars: 64}, walkforward: {folds: 2, seeds: 1}}
            """);
    Path walk = directory.resolve("walk");
    Invocation walked = walk(config, walk, "--json", "--parallel=1");
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
    assertThat(text).contains("  Losses exceeded the forecast VaR at 5 % in ");
    compareWalk(config, walk, json);
  }

  private static Invocation walk(Path config, Path run, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("walkforward", config.toString(), "--run", run.toString()));
    arguments.addAll(List.of(more));
    Invocation walked = Invocation.of(arguments.toArray(String[]::new));
    assertThat(walked.code()).as(walked.err()).isEqualTo(ExitCode.OK);
    return walked;
  }

  /** The walk-forward above once more, with the agents that have no limit, in any order. */
  private static void compareWalk(Path config, Path walk, JsonNode before) throws IOException {
    Invocation resumed = walk(config, walk, "--without-limit", "--parallel=1", "--json");
    assertThat(resumed.err()).contains("2 of 4 agents are trained already");
    Path elsewhere = directory.resolve("elsewhere").resolve("walk");
    Invocation whole = walk(config, elsewhere, "--without-limit", "--parallel=2", "--json");
    JsonNode cost = resumed.json().get("withoutLimit");
    assertThat(whole.json().get("withoutLimit")).isEqualTo(cost);
    assertThat(Invocation.withoutLedger(elsewhere.resolve("report.html")))
        .isEqualTo(Invocation.withoutLedger(walk.resolve("report.html")));
    assertThat(resumed.json().get("folds")).isEqualTo(before.get("folds"));

    assertThat(cost.get("agents")).hasSize(2);
    assertThat(cost.at("/agents/1/cost/run").textValue())
        .isEqualTo("folds/fold-2-seed-1-without-limit");
    assertThat(cost.at("/agents/1/cost/limited/totalReturn"))
        .isEqualTo(before.at("/folds/1/agents/1"));
    JsonNode free =
        new ObjectMapper()
            .readTree(walk.resolve("folds/fold-2-seed-1-without-limit/result.json").toFile());
    assertThat(cost.at("/agents/1/cost/free/totalReturn"))
        .isEqualTo(free.at("/evaluation/totalReturn"));
    assertThat(cost.at("/whole/0/cost/limited/totalReturn")).isEqualTo(before.get("totalReturn"));
    assertThat(resumed.json().at("/ledger/trials").intValue())
        .as("the agents without the limit are trials too")
        .isEqualTo(before.at("/ledger/trials").intValue() + 1);
    String text = walk(config, walk, "--without-limit").out();
    assertThat(text).contains("\nWhat the limit cost: ", "\n  chained ");
    assertThat(text.lines().filter(line -> !line.contains(directory.toString())))
        .allMatch(line -> line.length() <= 80);
  }

  /** Every path of a purged cross-validation. */
  @Test
  void shouldReportTheLimitOfPurgedPaths() throws IOException {
    Path config =
        market(
            "purged.yaml",
            """
            training: {steps: 128}
            market: {data: {gaps: allow}, episode: {bars: 64}, split: {embargoBars: 0}, walkforward: {seeds: 1}}
            """);
    String[] scheme = {"--scheme=purged", "--groups=3", "--test=1", "--without-limit", "--json"};
    Path run = directory.resolve("purged");
    JsonNode json = walk(config, run, scheme).json();
    assertThat(json.at("/paths/0/limit")).isEqualTo(json.get("limit"));
    assertThat(json.at("/limit/status").textValue()).isIn("kept", "broken", "undecided");
    assertThat(json.at("/withoutLimit/agents")).hasSize(3);
    assertThat(json.at("/withoutLimit/whole/0/cost/limited/totalReturn"))
        .isEqualTo(json.at("/paths/0/numbers/totalReturn"));
    String text = walk(config, run, "--scheme=purged", "--groups=3", "--test=1").out();
    assertThat(text).contains("  limit\n", "\nLimit: ").doesNotContain("What the limit cost");
    assertThat(text.lines().filter(line -> !line.contains(directory.toString())))
        .allMatch(line -> line.length() <= 80);
    walk(config, run, scheme);
    assertThat(Jsoup.parse(run.resolve("report.html").toFile()).select("h3").eachText())
        .contains("What the limit cost", "Every path");
  }
}
