package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that evaluate on a market, and the ledger they write. */
@Requirement("EVID-11")
class LedgerCommandTest {
  private static final String PROPERTY = "quantail.ledger";
  private static final String MARKET =
      """
      environment: {name: Market-v0, count: 4, normalizeObservations: false}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 32}
      ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
      market: {episode: {bars: 64}, walkforward: {folds: 2, seeds: 2}}
      """;

  @TempDir private Path directory;
  private Path ledger;

  @BeforeEach
  void useLedger() {
    ledger = directory.resolve("ledger");
    System.setProperty(PROPERTY, ledger.toString());
  }

  @AfterEach
  void useOther() {
    System.clearProperty(PROPERTY);
  }

  /** The lines that count. */
  private List<String> lines() throws IOException {
    return lines("test");
  }

  private List<String> lines(String kind) throws IOException {
    return Files.readAllLines(ledger.resolve("ledger.jsonl")).stream()
        .filter(line -> line.startsWith("{\"kind\":\"%s\",".formatted(kind)))
        .toList();
  }

  private Path run(String name) {
    return directory.resolve(name);
  }

  private static Invocation ended(Invocation invocation) {
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    return invocation;
  }

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void shouldCountEachAgentOnceAndPrintItBesideTheSharpeRatio() throws IOException {
    JsonNode first = ended(Invocation.trainOnMarket(run("first"))).json();
    assertThat(first.at("/ledger/trials").intValue()).isEqualTo(1);
    assertThat(first.at("/ledger/undefined").isNull()).isTrue();
    JsonNode second = ended(Invocation.trainOnMarket(run("second"), "--seed", "2")).json();
    assertThat(second.at("/ledger/trials").intValue()).isEqualTo(2);
    assertThat(second.at("/ledger/effectiveTrials").doubleValue()).isBetween(1.0, 2.0);
    assertThat(second.at("/ledger/deflatedSharpe").isNumber()).isTrue();
    assertThat(second.at("/ledger/pMax").isNumber()).isTrue();
    assertThat(json(run("second").resolve("evidence.json")).get("ledger"))
        .isEqualTo(second.get("ledger"));
    assertThat(json(run("second").resolve("result.json")).has("ledger")).isFalse();
    assertThat(lines()).hasSize(2);

    ended(Invocation.of("resume", run("second").toString()));
    ended(Invocation.trainOnMarket(run("again")));
    Invocation text = ended(Invocation.of("evaluate", run("second").toString()));
    assertThat(lines()).as("the same agents and bars").hasSize(2);
    assertThat(lines("selection")).as("one for each agent, not for each pass").hasSize(2);
    assertThat(text.out())
        .contains("  evidence    evaluated at least 2 times on these bars; N_eff ")
        .containsPattern("\n {14}PSR 0\\.\\d{3}, DSR 0\\.\\d{3}, p_max [01]\\.\\d{3}; ");
    assertThat(
            Jsoup.parse(run("second").resolve("report.html").toFile()).select("#evidence").text())
        .contains("Evaluated at least 2 times on these bars.", "deflated Sharpe ratio (DSR)");

    Invocation validation =
        ended(
            Invocation.of("evaluate", run("second").toString(), "--split", "validation", "--json"));
    assertThat(validation.json().at("/ledger/trials").intValue()).as("other bars").isEqualTo(1);
    Invocation training =
        ended(Invocation.of("evaluate", run("second").toString(), "--split", "train", "--json"));
    assertThat(training.json().has("ledger")).as("bars it learnt from").isFalse();
    assertThat(lines()).hasSize(3);
    assertThat(lines("selection")).hasSize(2);
    showSideBySide();
    compare();
    list();
  }

  /** {@code compare} counts what the ledger knows by now, and records nothing. */
  private void showSideBySide() throws IOException {
    assertThat(json(run("first").resolve("evidence.json")).at("/ledger/trials").intValue())
        .as("when it was evaluated")
        .isEqualTo(1);
    Path page = directory.resolve("compare.html");
    Invocation text =
        ended(
            Invocation.of(
                "compare", run("first").toString(), run("second").toString(), "--report=" + page));
    assertThat(text.out())
        .containsPattern("  evaluated on these bars +at least 2 times +at least 2 times\n")
        .containsPattern("  deflated Sharpe ratio +0\\.\\d{3} +0\\.\\d{3}\n")
        .containsPattern("  p_max +[01]\\.\\d{3} +[01]\\.\\d{3}\n");
    assertThat(Jsoup.parse(page.toFile()).text())
        .contains("evaluated on these bars at least 2 times at least 2 times");
    JsonNode numbers = ended(Invocation.of("compare", "--json", run("first").toString())).json();
    assertThat(numbers.at("/runs/0/ledger/trials").intValue()).isEqualTo(2);
    assertThat(lines()).hasSize(3);
  }

  /** {@code evidence} on the runs of the test above. */
  private void compare() {
    String first = run("first").toString();
    String second = run("second").toString();
    Invocation text = ended(Invocation.of("evidence", first, second));
    assertThat(text.out())
        .contains(", of 2 agents on the same ", "evaluated at least 2 times on these bars")
        .contains("  overfitting probability 0.", " choices of half of 14 blocks")
        .doesNotContain("NaN")
        .satisfies(LedgerCommandTest::fits);
    JsonNode numbers =
        ended(Invocation.of("evidence", first, second, "--blocks=6", "--json")).json();
    assertThat(numbers.at("/overfitting/numbers/combinations").intValue()).isEqualTo(20);
    assertThat(numbers.at("/ledger/trials").intValue()).isEqualTo(2);
    assertThat(ended(Invocation.of("evidence", first)).out())
        .contains("overfitting not defined: it needs 2 agents");
    Refusal.require(
        Invocation.of("evidence", first, second, "--blocks", "7"),
        ExitCode.USAGE,
        "--blocks must be even and from 2 to 20, was 7");
    Refusal.require(
        Invocation.of("evidence", directory.toString()), ExitCode.USAGE, "is no run, sweep,");
  }

  private void list() throws IOException {
    Invocation text = ended(Invocation.of("ledger"));
    assertThat(text.out())
        .startsWith("  run ")
        .contains("ledger: " + ledger.resolve("ledger.jsonl"))
        .satisfies(LedgerCommandTest::fits);
    assertThat(text.out().lines().filter(line -> line.contains("/2013-12-01"))).hasSize(2);
    JsonNode entries = ended(Invocation.of("ledger", "--json")).json().get("entries");
    assertThat(entries).as("two of them selections").hasSize(5);
    assertThat(entries.get(0).get("shared").intValue()).isEqualTo(1);
    assertThat(entries.get(4).get("shared").intValue()).isEqualTo(2);
    assertThat(entries.get(4).get("run").textValue()).endsWith("first");

    String line = lines().get(0);
    StringBuilder more = new StringBuilder();
    for (int seed = 100; seed < 130; seed++) {
      more.append(line.replace("\"seed\":1,", "\"seed\":" + seed + ",")).append('\n');
    }
    Path file = ledger.resolve("ledger.jsonl");
    Files.writeString(file, more, StandardOpenOption.APPEND);
    assertThat(Invocation.of("ledger").out()).contains("older entries: 15; list them with --all");
    assertThat(Invocation.of("ledger", "--all").out().lines().count()).isEqualTo(1 + 35 + 3);
    Files.writeString(file, "{damaged\n", StandardOpenOption.APPEND);
    Invocation damaged = Invocation.of("ledger");
    assertThat(damaged.code()).isEqualTo(ExitCode.DATA);
    assertThat(damaged.err()).contains("line 36 of the ledger").hasLineCount(1);
    assertThat(damaged.out()).contains("  129 ");
  }

  private static void fits(String text) {
    assertThat(text.lines().filter(line -> !line.matches("(ledger: |  best Sharpe ).*")))
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
  }

  @Test
  void shouldLoseNoResultIfTheLedgerCannotBeWritten() throws IOException {
    Files.writeString(ledger, "a file in the place of the directory");
    Invocation training = ended(Invocation.trainOnMarket(run("run")));
    assertThat(training.err()).containsOnlyOnce("quantail: the ledger " + ledger);
    assertThat(training.json().at("/ledger/trials").isNull()).isTrue();
    assertThat(run("run").resolve("result.json")).exists();
    assertThat(Jsoup.parse(run("run").resolve("report.html").toFile()).select("#evidence").text())
        .contains("The number of evaluations on these bars is not known.");
    assertThat(Invocation.of("evaluate", run("run").toString()).out())
        .contains(
            "the number of evaluations on these bars is not known", "DSR and p_max not known");
    Files.delete(ledger);
    assertThat(Invocation.of("ledger").out().replaceAll("\\s+", " "))
        .contains("has no entry; train or evaluate");
  }

  @Test
  void shouldRefuseRunsOnOtherBarsOrWithoutReturns() throws IOException {
    ended(Invocation.trainOnMarket(run("first")));
    ended(Invocation.trainOnMarket(run("shorter"), "--set", "market.split.train=0.75"));
    Refusal.require(
        Invocation.of("evidence", run("first").toString(), run("shorter").toString()),
        ExitCode.USAGE,
        " was evaluated on ",
        "name runs that were evaluated on the same bars");
    Files.delete(run("first").resolve("returns.csv"));
    Refusal.require(
        Invocation.of("evidence", run("first").toString()),
        ExitCode.USAGE,
        "are missing or damaged; write them with: quantail evaluate " + run("first"));
    Files.delete(run("first").resolve("evidence.json"));
    Refusal.require(
        Invocation.of("evidence", run("first").toString()),
        ExitCode.USAGE,
        "has no evidence.json; write it with: quantail evaluate");
  }

  private Path config(String... more) throws IOException {
    return Files.writeString(directory.resolve("market.yaml"), MARKET + String.join("\n", more));
  }

  private Invocation study(String command, Path place, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of(command, config("training: {steps: 256}").toString()));
    arguments.addAll(List.of("--run", place.toString()));
    arguments.addAll(List.of(more));
    return ended(Invocation.of(arguments.toArray(String[]::new)));
  }

  @Test
  void shouldRecordTheAgentsOfASweep() throws IOException {
    Path place = run("sweep");
    JsonNode sweep = study("sweep", place, "--seeds=1-3", "--json").json();
    assertThat(lines()).hasSize(3);
    assertThat(sweep.at("/ledger/trials").intValue()).isEqualTo(3);
    assertThat(sweep.at("/overfitting/agents").intValue()).isEqualTo(3);
    assertThat(json(place.resolve("results.json")).get("overfitting"))
        .isEqualTo(sweep.get("overfitting"));
    assertThat(json(place.resolve("results.json")).has("ledger")).isFalse();
    String text = study("sweep", place, "--seeds=1-3").out();
    assertThat(text)
        .contains(
            "evaluated at least 3 times on these bars; N_eff ", "  overfitting probability 0.");
    assertThat(lines()).as("resumed").hasSize(3);
    assertThat(lines("selection")).as("validated while they trained").hasSize(3);
    assertThat(Jsoup.parse(place.resolve("report.html").toFile()).select("#evidence").text())
        .contains("Probability of backtest overfitting", "Evaluated at least 3 times");
    JsonNode compared = ended(Invocation.of("evidence", place.toString(), "--json")).json();
    assertThat(compared.get("ledger").get("pMax")).isEqualTo(sweep.at("/ledger/pMax"));
    Path agent = place.resolve("runs/seed-2");
    assertThat(
            Jsoup.parse(agent.resolve("report-validation.html").toFile())
                .select("#evidence")
                .text())
        .contains("This agent is part of a study");
    ended(Invocation.of("evaluate", agent.toString(), "--split", "validation"));
    assertThat(lines()).as("the same agent and bars").hasSize(3);
  }

  @Test
  void shouldRecordAWalkForwardAsOneTrialPerSeed() throws IOException {
    Path place = run("walk");
    JsonNode walk = study("walkforward", place, "--json").json();
    assertThat(lines()).as("two folds, two seeds").hasSize(4);
    assertThat(walk.at("/ledger/trials").intValue()).isEqualTo(2);
    assertThat(walk.at("/ledger/effectiveTrials").isNumber()).isTrue();
    assertThat(walk.at("/overfitting/agents").intValue()).isEqualTo(2);
    Invocation again =
        ended(Invocation.of("evaluate", place.resolve("folds/fold-1-seed-1").toString(), "--json"));
    assertThat(again.json().at("/ledger/trials").intValue()).isEqualTo(2);
    assertThat(lines()).hasSize(4);
    assertThat(ended(Invocation.of("evidence", place.toString())).out())
        .contains(", of 2 agents on the same ", "walk seed ");
    assertThat(lines("selection")).as("folds have no validation bars").isEmpty();
  }

  /** The agents of a purged cross-validation, and what every rendering says about their number. */
  @Test
  void shouldCountThePurgedCrossValidation() throws IOException {
    Path place = run("purged");
    String[] scheme = {"--scheme=purged", "--groups=3", "--test=1"};
    String text = study("walkforward", place, scheme).out();
    assertThat(lines()).as("three folds, two seeds").hasSize(6);
    assertThat(text).contains("\n  evidence    evaluated at least 2 times on these bars\n");
    assertThat(Jsoup.parse(place.resolve("report.html").toFile()).select("#evidence").text())
        .contains("Evaluated at least 2 times on these bars.");
    JsonNode numbers =
        study("walkforward", place, "--scheme=purged", "--groups=3", "--test=1", "--json").json();
    assertThat(numbers.at("/ledger/trials").intValue()).isEqualTo(2);
    assertThat(json(place.resolve("walkforward.json")).has("ledger")).isFalse();
    assertThat(lines()).as("resumed").hasSize(6);
  }

  /** A training that is interrupted or repeated leaves one selection; without passes none. */
  @Test
  void shouldRecordTheSelectionOfARunOnce() throws IOException {
    String[] best = {"--set", "training.keep=best-validation", "--seed=5"};
    ended(Invocation.trainOnMarket(run("best"), best));
    assertThat(lines("selection")).hasSize(1);
    JsonNode selection = new ObjectMapper().readTree(lines("selection").get(0));
    assertThat(selection.get("seed").intValue()).isEqualTo(5);
    assertThat(selection.get("series").isNull()).isTrue();
    JsonNode stored = json(run("best").resolve("evidence.json"));
    assertThat(selection.get("days")).isEqualTo(stored.at("/selection/days"));
    assertThat(selection.get("settings")).isEqualTo(stored.at("/entry/settings"));
    assertThat(stored.at("/selection/to").textValue())
        .as("before the test bars")
        .isLessThan(stored.at("/entry/from").textValue());
    ended(Invocation.of("resume", run("best").toString()));
    ended(Invocation.of("evaluate", run("best").toString(), "--split", "validation"));
    assertThat(lines("selection")).hasSize(1);
    assertThat(stored.at("/ledger/trials").intValue()).as("selections are not counted").isOne();

    ended(Invocation.trainOnMarket(run("unseen"), "--set", "training.validationUpdates=0"));
    assertThat(lines("selection")).hasSize(1);
  }

  @Test
  void shouldRecordTheMembersOfAPopulation() throws IOException {
    Path place = run("population");
    String[] arguments = {
      "population",
      config(
              "population: {size: 3, generations: 2, stepsPerGeneration: 256, hyperparameters:",
              "  {optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log}}}")
          .toString(),
      "--run",
      place.toString(),
      "--json"
    };
    JsonNode population = ended(Invocation.of(arguments)).json();
    int agents = population.at("/overfitting/agents").intValue();
    assertThat(agents).isBetween(3, 4);
    assertThat(population.at("/ledger/trials").intValue()).isBetween(3, agents);
    List<String> before = Files.readAllLines(ledger.resolve("ledger.jsonl"));
    assertThat(lines("test")).isNotEmpty();
    assertThat(lines("selection")).as("the first generation").isNotEmpty();
    assertThat(ended(Invocation.of(arguments)).json()).isEqualTo(population);
    assertThat(Files.readAllLines(ledger.resolve("ledger.jsonl"))).isEqualTo(before);
    assertThat(Jsoup.parse(place.resolve("report.html").toFile()).select("#evidence").text())
        .contains("The best of " + agents + " agents by Sharpe ratio is member ");
    assertThat(ended(Invocation.of("evidence", place.toString(), "--json")).json().at("/agents"))
        .isEqualTo(population.at("/overfitting/agents"));
    assertThat(Invocation.of("ledger").out()).contains("  selection ");
  }
}
