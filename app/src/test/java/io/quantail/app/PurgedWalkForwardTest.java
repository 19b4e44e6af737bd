package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Four groups of generated bars, two tested: six agents and three paths, from command to files. */
@Requirement({"WF-1", "EVID-1"})
class PurgedWalkForwardTest {
  private static final List<String> SMALL =
      List.of(
          "market.walkforward.scheme=purged",
          "market.walkforward.seeds=1",
          "market.features.names=[return(1), return(12), ewma-volatility]",
          "market.split.purgeBars=0",
          "market.split.embargoBars=0",
          "market.episode.bars=32",
          "training.steps=128");

  @TempDir private static Path directory;
  private static Path bars;
  private static Path whole;
  private static Invocation first;

  @BeforeAll
  static void validate() {
    bars = directory.resolve("bars.csv");
    Invocation.of("data", "generate", "garch", bars.toString(), "--bars", "480");
    whole = directory.resolve("whole");
    first = purged(whole, "--groups", "4", "--test", "2", "--json", "--parallel", "2");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
  }

  private static Invocation purged(Path run, String... more) {
    return Invocation.of(arguments(run, more));
  }

  private static String[] arguments(Path run, String... more) {
    List<String> settings = new ArrayList<>(SMALL);
    settings.add("market.data={files: [" + bars + "], barLength: 1h}");
    return WalkForwardRuns.arguments(run, settings, more);
  }

  @Test
  void shouldMakeWholePathsOfTheTestedGroups() throws IOException {
    JsonNode numbers = first.json();
    assertThat(numbers.get("folds")).hasSize(6);
    assertThat(numbers.get("paths")).hasSize(3);
    assertThat(numbers.at("/paths/0/folds").toString()).isEqualTo("[1,1,2,3]");
    assertThat(numbers.at("/paths/2/folds").toString()).isEqualTo("[3,5,6,6]");
    for (JsonNode path : numbers.get("paths")) {
      double growth = 1;
      for (JsonNode group : path.get("groups")) {
        growth *= 1 + group.doubleValue();
      }
      assertThat(path.at("/numbers/totalReturn").doubleValue())
          .isCloseTo(growth - 1, within(1e-12));
      List<String> curve =
          Files.readAllLines(whole.resolve("paths.csv")).stream()
              .filter(line -> line.startsWith("GARCH,agent,1," + path.get("path") + ","))
              .toList();
      // The start; 120 bars a group: 119 steps, and 13 bars of warm-up in the first.
      assertThat(curve).hasSize(1 + 4 * 119 - 13);
      String[] last = curve.get(curve.size() - 1).split(",");
      assertThat(Double.parseDouble(last[7]) / 10_000).isCloseTo(growth, within(1e-9));
      assertThat(last[6]).isEqualTo("0.0");
    }
    assertThat(numbers.at("/paths/0/numbers/sharpe").isNull()).as("20 days").isTrue();
    assertThat(numbers.get("caveat").textValue()).isEqualTo(PurgedResult.CAVEAT);
    assertThat(numbers.at("/totalReturn/lowest").doubleValue())
        .isLessThanOrEqualTo(numbers.at("/totalReturn/median").doubleValue());
    assertThat(whole.resolve("walkforward.json")).content().contains("\"scheme\" : \"purged\"");
  }

  /** Every agent is a run; its tested groups are passes of their own. */
  @Test
  void shouldLeaveRunsForOtherCommands() throws IOException {
    Path agent = whole.resolve("folds/fold-2-seed-1");
    assertThat(agent.resolve("config.yaml")).content().contains("testedGroups:");
    Invocation evaluated = Invocation.of("evaluate", agent.toString(), "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    JsonNode symbols = evaluated.json().get("symbols");
    assertThat(symbols).hasSize(2);
    assertThat(symbols.at("/1/symbol").textValue()).isEqualTo("GARCH, group 3");
    assertThat(symbols.at("/1/agent/totalReturn")).isEqualTo(first.json().at("/paths/0/groups/2"));
    JsonNode account = evaluated.json().at("/verdict/account");
    double growth =
        (1 + symbols.at("/0/agent/totalReturn").doubleValue())
            * (1 + symbols.at("/1/agent/totalReturn").doubleValue());
    assertThat(account.get("totalReturn")).isEqualTo(evaluated.json().get("totalReturn"));
    assertThat(account.get("totalReturn").doubleValue()).isCloseTo(growth - 1, within(1e-12));
    assertThat(account.get("bars").intValue()).isEqualTo(2 * 119 - 13);
    assertThat(account.get("skill").textValue()).isNotEqualTo("undefined");
    assertThat(first.err())
        .contains("fold-2-seed-1  " + String.format(Locale.ROOT, "%+.2f %%", 100 * (growth - 1)));
    Document page = Jsoup.parse(agent.resolve("report.html").toFile());
    assertThat(page.select(".under").text()).startsWith("GARCH, 2 tested groups one after the");
    assertThat(page.select("h2").eachText())
        .contains("Tested groups", "GARCH, group 3")
        .doesNotContain("Symbols");
    assertThat(page.text()).contains("data fingerprint of GARCH ");
    assertThat(prices(page)).matches("Close with [\\d,]+ fills, .* fell to or below the VaR .*");
    Path together = directory.resolve("together.html");
    Invocation compared =
        Invocation.of("compare", agent.toString(), "--report", together.toString());
    assertThat(compared.code()).as(compared.err()).isEqualTo(ExitCode.OK);
    assertThat(prices(Jsoup.parse(together.toFile()))).as("one account").isEqualTo(prices(page));
    Invocation onTraining =
        Invocation.of("evaluate", agent.toString(), "--split", "train", "--json");
    assertThat(onTraining.json().get("symbols")).hasSize(2);
    Invocation audit = Invocation.of("audit", agent.toString(), "--json");
    assertThat(audit.code()).as(audit.out() + audit.err()).isEqualTo(ExitCode.OK);
    Invocation signal =
        Invocation.of("signal", agent.toString(), "--data", bars.toString(), "--now", "last-bar");
    assertThat(signal.code()).as(signal.err()).isEqualTo(ExitCode.OK);
  }

  /** The captions of all charts of prices. */
  private static String prices(Document page) {
    return page.select("figure:has(h2:containsOwn(Price, fills)) figcaption").text();
  }

  /** Killed by the operating system after the first agent, then repeated with one thread. */
  @Test
  void shouldGiveTheSameBytesAfterAKill() throws Exception {
    Path place = directory.resolve("elsewhere/whole");
    String[] four = {"--groups", "4", "--test", "2", "--parallel", "1"};
    ChildProcess child = ChildProcess.start(directory, arguments(place, four));
    ChildProcess.waitFor(place.resolve("folds/fold-1-seed-1/outcome.json.gz"));
    child.process().destroyForcibly().waitFor();

    Invocation resumed = purged(place, "--groups", "4", "--test", "2", "--parallel", "1", "--json");

    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(WalkForwardRuns.withoutPaths(resumed.json()))
        .isEqualTo(WalkForwardRuns.withoutPaths(first.json()));
    for (String file : List.of("paths.csv", "folds/fold-6-seed-1/metrics.csv")) {
      assertThat(place.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(Invocation.withoutLedger(place.resolve("report.html")))
        .isEqualTo(Invocation.withoutLedger(whole.resolve("report.html")));
  }

  @Test
  void shouldPrintEveryPathIn80Columns() {
    Invocation again = purged(whole, "--groups", "4", "--test", "2");
    assertThat(again.err()).contains("6 of 6 agents are trained already");
    assertThat(again.out().replaceAll("\\s+", " "))
        .contains("groups: 4, tested: 2, folds: 6, seeds: 1", "CVaR 5 %")
        .contains("median", "highest", "buy-and-hold", PurgedResult.CAVEAT)
        .contains(first.json().get("verdict").textValue());
    assertThat(again.out().lines().filter(line -> !line.contains(whole.toString())))
        .allMatch(line -> line.length() <= 80);
  }

  @Test
  void shouldSayOnThePageWhatThePathsAreNot() throws IOException {
    Document page = Jsoup.parse(whole.resolve("report.html").toFile());
    assertThat(page.select("h1").text()).isEqualTo(first.json().get("verdict").textValue());
    assertThat(page.select("header").text()).contains(PurgedResult.CAVEAT);
    assertThat(page.select("th[scope=row]").eachText())
        .contains("seed 1, path 3", "median", "buy-and-hold", "4");
    assertThat(page.select("h2").eachText())
        .containsSubsequence("Paths", "Groups", "Price, fills and weight", "Equity and drawdown");
    assertThat(page.select("header .tile")).hasSize(4);
    assertThat(page.select(".kept h3").eachText())
        .as("beside the mean weight, which is chained like the agent")
        .singleElement()
        .asString()
        .matches("Drawdown in \\d{4}: agent \\S+ %, held \\S+ %");
    assertThat(prices(page))
        .containsPattern("[\\d,]+ of [\\d,]+ returns fell to or below the VaR of 5 %");
  }

  @Test
  void shouldSayOnceThatRangesAreTooShort() {
    // Groups of 120 bars: 13 of warm-up, 1 purged, 14 embargoed. Only neighbours have 119.
    Invocation run =
        purged(
            directory.resolve("short"),
            "--groups",
            "4",
            "--test",
            "1",
            "--set",
            "market.episode.bars=100");
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.err())
        .containsOnlyOnce(
            "3 of 12 training ranges are shorter than warm-up and episode and are not used");
  }

  @Test
  void shouldRefuseInvalidSettingsBeforeItWritesFiles() {
    Path place = directory.resolve("never");
    refuse(place, ExitCode.USAGE, "market.walkforward.groups must be", "--groups", "1");
    refuse(
        place,
        ExitCode.USAGE,
        "market.walkforward.testGroups must be less than market.walkforward.groups (4)",
        "--groups",
        "4",
        "--test",
        "4");
    refuse(
        place,
        ExitCode.USAGE,
        "6 of 12 groups make 924 splits, 924 agents with 1 seeds; use fewer groups or seeds, or add"
            + " --yes to train more than 300 agents",
        "--groups",
        "12",
        "--test",
        "6");
    refuse(
        place, ExitCode.DATA, "more than 10000 splits", "--groups", "30", "--test", "15", "--yes");
    refuse(
        place,
        ExitCode.DATA,
        "has no training range with the bars of a warm-up and an episode, 13 + 61",
        "--groups",
        "10",
        "--set",
        "market.episode.bars=60");
    refuse(
        place,
        ExitCode.DATA,
        "the longest window of a feature, 13 bars",
        "--set",
        "market.split.embargoBars=12");
    Refusal.require(
        Invocation.of(
            "walkforward",
            WalkForwardRuns.CONFIG,
            "--scheme",
            "sideways",
            "--run",
            place.toString()),
        ExitCode.USAGE,
        "market.walkforward.scheme must be");
    Refusal.require(
        Invocation.of(
            "walkforward", WalkForwardRuns.CONFIG, "--test", "2", "--run", place.toString()),
        ExitCode.USAGE,
        "--test needs --scheme purged");
    assertThat(place).doesNotExist();
  }

  private static void refuse(Path place, int code, String message, String... more) {
    Refusal.require(purged(place, more), code, message);
  }
}
