package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.app.common.ExitCode;
import io.quantail.run.RunStatus;
import io.quantail.run.io.Json;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two folds and two seeds on the embedded bars, from the command to the files. */
@Requirement("WF-1")
class WalkForwardTest {
  private static final List<String> SMALL =
      List.of(
          "market.walkforward.folds=2",
          "market.walkforward.seeds=2",
          "market.episode.bars=64",
          "training.steps=256");

  @TempDir private static Path directory;
  private static Path whole;
  private static Invocation first;

  @BeforeAll
  static void walk() {
    whole = directory.resolve("whole");
    first = walk(whole, "--json", "--parallel", "2");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
  }

  private static Invocation walk(Path run, String... more) {
    return Invocation.of(arguments(run, more));
  }

  private static String[] arguments(Path run, String... more) {
    return WalkForwardRuns.arguments(run, SMALL, more);
  }

  @Test
  void shouldChainTheFoldsOfEachSeed() throws IOException {
    JsonNode numbers = first.json();
    assertThat(numbers.get("folds")).hasSize(2);
    assertThat(numbers.get("seeds")).hasSize(2);
    for (JsonNode seed : numbers.get("seeds")) {
      String name = seed.get("seed").asText();
      double growth = 1;
      double held = 1;
      for (JsonNode fold : numbers.get("folds")) {
        growth *= 1 + fold.get("agents").get(name).doubleValue();
        held *= 1 + fold.get("baselines").get("buyAndHold").doubleValue();
      }
      JsonNode stitched = seed.get("stitched");
      assertThat(stitched.get("totalReturn").doubleValue()).isCloseTo(growth - 1, within(1e-12));
      assertThat(stitched.get("baselines").get("buyAndHold").doubleValue())
          .isCloseTo(held - 1, within(1e-12));
      assertThat(stitched.get("baselines").get("flat").doubleValue()).isZero();
      List<String> curve =
          Files.readAllLines(whole.resolve("stitched.csv")).stream()
              .filter(line -> line.startsWith("BTCUSD,agent," + name + ","))
              .toList();
      assertThat(curve).hasSize(1 + stitched.at("/symbols/0/agent/bars").intValue());
      double start = Double.parseDouble(curve.get(0).split(",")[7]);
      double last = Double.parseDouble(curve.get(curve.size() - 1).split(",")[7]);
      assertThat(last / start).isCloseTo(growth, within(1e-9));
    }
    assertThat(numbers.at("/verdict/account/totalReturn").doubleValue())
        .isCloseTo(numbers.get("totalReturn").doubleValue(), within(1e-9));
    assertThat(numbers.get("limit").isNull()).as("the run has none").isTrue();
    assertThat(whole.resolve("walkforward.json")).content().contains("\"medianSeed\"");
    assertThat(whole.resolve("attempts")).doesNotExist();
  }

  /** Every agent is a run like that of train on the same settings. */
  @Test
  void shouldLeaveRunsThatAreThoseOfTrain() throws IOException {
    Path agent = whole.resolve("folds/fold-2-seed-1");
    Path again = directory.resolve("again");
    Invocation trained =
        Invocation.of(
            "train", agent.resolve("config.yaml").toString(), "--json", "--run", again.toString());
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
    for (String file :
        List.of("metrics.csv", "alerts.jsonl", "equity.csv", "trades.csv", "market.json")) {
      assertThat(again.resolve(file)).hasSameBinaryContentAs(agent.resolve(file));
    }
    assertThat(RunStatus.read(agent).orElseThrow().state()).isEqualTo(RunStatus.State.FINISHED);
    assertThat(agent.resolve("result.json")).content().contains(agent + "/report.html");
    Invocation evaluated = Invocation.of("evaluate", agent.toString(), "--json");
    assertThat(evaluated.numbers()).isEqualTo(trained.json().get("evaluation"));
    assertThat(evaluated.json().get("totalReturn")).isEqualTo(first.json().at("/folds/1/agents/1"));
    Path bars = directory.resolve("bars.csv");
    Invocation.of("data", "import", "demo:btc", bars.toString());
    Invocation signal =
        Invocation.of(
            "signal",
            agent.toString(),
            "--data",
            bars.toString(),
            "--now",
            "last-bar",
            "--allow-gaps");
    assertThat(signal.code()).as(signal.err()).isEqualTo(ExitCode.OK);
    Invocation resumed = Invocation.of("resume", agent.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldNotDependOnHowManyRunAtATime() {
    Path other = directory.resolve("single");
    Invocation single = walk(other, "--json", "--parallel", "1");
    assertThat(single.code()).as(single.err()).isEqualTo(ExitCode.OK);
    assertThat(WalkForwardRuns.withoutPaths(single.json()))
        .isEqualTo(WalkForwardRuns.withoutPaths(first.json()));
    assertThat(other.resolve("stitched.csv")).hasSameBinaryContentAs(whole.resolve("stitched.csv"));
  }

  @Test
  void shouldDoOnlyWhatIsMissing() throws IOException {
    Path place = directory.resolve("missing");
    Path lost = place.resolve("folds/fold-1-seed-2/outcome.json.gz");
    assertThat(walk(place).code()).isEqualTo(ExitCode.OK);
    Files.write(lost, new byte[] {1, 2, 3});

    Invocation again = walk(place, "--json");

    assertThat(again.err())
        .contains("3 of 4 agents are trained already")
        .contains("  4/4  fold-1-seed-2  ");
    assertThat(WalkForwardRuns.withoutPaths(again.json()))
        .isEqualTo(WalkForwardRuns.withoutPaths(first.json()));
    Invocation more = walk(place, "--seeds", "3", "--json");
    assertThat(more.err()).contains("4 of 6 agents are trained already");
    assertThat(more.json().get("seeds")).hasSize(3);
    assertThat(more.json().get("folds").get(0).get("agents").get("2"))
        .isEqualTo(first.json().get("folds").get(0).get("agents").get("2"));
  }

  @Test
  void shouldPrintEveryFoldAndTheVerdict() {
    String text = walk(whole).out();
    assertThat(text)
        .contains("Walk forward, folds: 2, seeds: 2", "  buy-and-hold ", "  random ")
        .contains("\nVerdict\n  Out of sample the median seed, fold after fold, ")
        .contains("the median seed, below");
    assertThat(text.strip()).endsWith("report: " + whole.resolve("report.html"));
  }

  /** The page of the same study, rendered again from its files, for a directory of that name. */
  @Test
  void shouldWriteAPageOfTheSameNumbersAndTheSameBytes() throws IOException {
    JsonNode numbers = first.json();
    Path file = Path.of(numbers.get("report").textValue());
    Document page = Jsoup.parse(file.toFile());
    assertThat(page.select("h1").text())
        .startsWith("Out of sample the median seed, fold after fold, ");
    List<String> cells = page.select("tr.total").first().select("td").eachText();
    assertThat(cells).hasSize(7);
    assertThat(cells.get(3)).isEqualTo(percent(numbers.get("totalReturn")));
    assertThat(cells.get(4)).isEqualTo(percent(numbers.at("/spread/worst")));
    assertThat(cells.get(5)).isEqualTo(percent(numbers.at("/spread/best")));
    assertThat(cells.get(6)).isEqualTo(percent(numbers.at("/baselines/buyAndHold")));
    assertThat(page.text()).contains("data fingerprint of");
    assertThat(page.select("h2").eachText())
        .containsSubsequence(
            "Folds and seeds", "Price, fills and weight", "Equity and drawdown", "Verdict");
    assertThat(page.select("header .tile")).hasSize(4);
    assertThat(caption(page))
        .containsPattern("[\\d,]+ of [\\d,]+ returns fell to or below the VaR");
    Path twin = directory.resolve("elsewhere/whole");
    assertThat(walk(twin, "--parallel", "1").code()).isEqualTo(ExitCode.OK);
    assertThat(Invocation.withoutLedger(twin.resolve("report.html")))
        .isEqualTo(Invocation.withoutLedger(file));
  }

  /** The caption of the chart of prices. */
  private static String caption(Document page) {
    return page.select("figure:has(h2:containsOwn(Price, fills)) figcaption").text();
  }

  /** A fold of an earlier build has no forecasts: it is read as it is, and the page has none. */
  @Test
  @Requirement("REP-2")
  void shouldDrawForecastsOfStoredFoldsAndReadOlderOnes() throws IOException {
    Path place = directory.resolve("stored");
    assertThat(walk(place).code()).isEqualTo(ExitCode.OK);
    Path report = place.resolve("report.html");
    String before = Invocation.withoutLedger(report);
    Files.delete(report);
    Invocation again = walk(place, "--json");
    assertThat(again.err()).contains("4 of 4 agents are trained already");
    assertThat(Invocation.withoutLedger(report)).isEqualTo(before);
    for (int fold = 1; fold <= 2; fold++) {
      for (int seed = 1; seed <= 2; seed++) {
        removeForecasts(
            place.resolve("folds/fold-%d-seed-%d/outcome.json.gz".formatted(fold, seed)));
      }
    }
    Files.delete(report);
    Invocation older = walk(place, "--json");
    assertThat(older.err()).contains("4 of 4 agents are trained already");
    assertThat(WalkForwardRuns.withoutPaths(older.json()))
        .isEqualTo(WalkForwardRuns.withoutPaths(again.json()));
    assertThat(caption(Jsoup.parse(report.toFile()))).isNotEmpty().doesNotContain("VaR");
  }

  private static void removeForecasts(Path outcome) throws IOException {
    ObjectNode stored;
    try (InputStream input = new GZIPInputStream(Files.newInputStream(outcome))) {
      stored = (ObjectNode) Json.MAPPER.readTree(input);
    }
    assertThat(((ObjectNode) stored.get("outcome")).remove("nextBars")).isNotEmpty();
    try (OutputStream output = new GZIPOutputStream(Files.newOutputStream(outcome))) {
      Json.MAPPER.writeValue(output, stored);
    }
  }

  private static String percent(JsonNode share) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * share.doubleValue()).replace('-', '−');
  }

  @Test
  void shouldRefuseOtherSettingsOrData() throws IOException {
    Refusal.require(
        walk(whole, "--set", "rollout.gamma=0.9"),
        ExitCode.USAGE,
        "was started with other settings: rollout.gamma is 0.9, was 0.97; use those, or another");
    Path place = directory.resolve("data");
    Path bars = directory.resolve("own.csv");
    Invocation.of("data", "generate", "noise", bars.toString(), "--bars", "600");
    String[] own = {"--set", "market.data={files: [" + bars + "], barLength: 1h}"};
    assertThat(walk(place, own).code()).isEqualTo(ExitCode.OK);
    Files.delete(bars);
    Invocation.of("data", "generate", "noise", bars.toString(), "--bars", "600", "--seed", "2");
    Refusal.require(walk(place, own), ExitCode.DATA, "was started with other data");
    Path taken = Files.createDirectory(directory.resolve("taken"));
    Files.writeString(taken.resolve("notes.txt"), "mine");
    Refusal.require(walk(taken), ExitCode.USAGE, "exists and is no walk forward");
  }

  @Test
  void shouldRefuseInvalidSettingsBeforeItWritesFiles() {
    Path place = directory.resolve("never");
    Refusal.require(
        walk(place, "--set", "market.walkforward.folds=900"),
        ExitCode.DATA,
        "do not make 900 folds");
    Refusal.require(walk(place, "--set", "market.episode.bars=5000"), ExitCode.DATA, "an episode");
    Refusal.require(
        walk(place, "--seeds", "0"), ExitCode.USAGE, "market.walkforward.seeds must be");
    Refusal.require(
        walk(place, "--parallel", "0"), ExitCode.USAGE, "--parallel must be at least 1");
    Refusal.require(
        walk(place, "--set", "environment.name=CartPole-v1"),
        ExitCode.USAGE,
        "walkforward needs a market");
    assertThat(place).doesNotExist();
  }

  @Test
  void shouldStayResumableWhenInterrupted() throws Exception {
    Path place = directory.resolve("interrupted");
    String[] endless = arguments(place, "--parallel", "1", "--set", "training.steps=100000000");
    ChildProcess child = ChildProcess.start(directory, endless);
    ChildProcess.waitFor(place.resolve("attempts/fold-1-seed-1/attempt-1/metrics.csv"));
    new ProcessBuilder("kill", "-INT", Long.toString(child.process().pid())).start().waitFor();

    assertThat(child.await()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(child.output())
        .contains(
            "interrupted; resume with: quantail walkforward " + WalkForwardRuns.CONFIG,
            " --set training.steps=100000000 --run " + place);
    assertThat(place.resolve("attempts")).doesNotExist();
    assertThat(place.resolve("config.yaml")).exists();
  }
}
