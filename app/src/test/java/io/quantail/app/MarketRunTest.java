package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run on a market ends with numbers of bars it has not learnt from, and gives them again. */
@Requirement({"EPI-2", "MET-1"})
class MarketRunTest {
  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;

  @BeforeAll
  static void train() {
    run = directory.resolve("run");
    training = Invocation.trainOnMarket(run);
  }

  @Test
  void shouldReportTheAgentBesideItsBaselines() {
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    JsonNode evaluation = training.json().get("evaluation");
    assertThat(evaluation.get("split").textValue()).isEqualTo("test");
    JsonNode symbol = evaluation.get("symbols").get(0);
    assertThat(symbol.get("symbol").textValue()).isEqualTo("BTCUSD");
    assertThat(symbol.get("agent").get("bars").intValue()).isGreaterThan(100);
    JsonNode baselines = symbol.get("baselines");
    assertThat(baselines.fieldNames())
        .toIterable()
        .containsExactly(
            "buyAndHold", "exposureMatched", "sma200", "volatilityMatched", "flat", "random");
    assertThat(baselines.get("exposureMatched").get("exposure").doubleValue())
        .isCloseTo(symbol.get("agent").get("exposure").doubleValue(), within(0.05));
    assertThat(baselines.get("flat").get("totalReturn").doubleValue()).isZero();
    assertThat(baselines.get("flat").get("sharpe").isNull()).as("not defined").isTrue();
    assertThat(baselines.get("buyAndHold").get("exposure").doubleValue()).isGreaterThan(0.99);
    double agent = evaluation.get("totalReturn").doubleValue();
    double held = evaluation.get("baselines").get("buyAndHold").doubleValue();
    assertThat(evaluation.get("beatsBuyAndHold").booleanValue()).isEqualTo(agent > held);
  }

  @Test
  @Requirement("MON-2")
  void shouldMeasureTheCostsThatTheMarketReports() throws IOException {
    assertThat(Files.readString(run.resolve("metrics.csv")))
        .containsPattern("train/reward_costs_in_fraction,[0-9.E-]+\n")
        .containsPattern("train/reward_costs_mean_in_fraction,[0-9.E-]+\n");
  }

  @Test
  void shouldGiveTheNumbersOfTrainAgain() {
    Invocation first = evaluate("--json");
    Invocation second = evaluate("--json", "--split", "test");

    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(first.numbers()).isEqualTo(training.json().get("evaluation"));
    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldWarnOfAnAccountThatIsLargerThanItsMarket() {
    Path large = directory.resolve("large");
    Invocation warned =
        Invocation.trainOnMarket(large, "--set", "market.execution.initialCash=1000000000");
    assertThat(warned.err())
        .contains(
            "quantail: warning: market.execution.initialCash of",
            "times the money of a median bar of BTCUSD",
            "orders are cut to maxParticipation of the volume");
    assertThat(training.err()).doesNotContain("initialCash");
  }

  @Test
  void shouldEndWithTheSameNumbersWhenResumed() throws IOException {
    Path whole = directory.resolve("whole");
    Invocation.trainOnMarket(whole, "--set", "optimizer.schedule=constant");
    Path resumed = directory.resolve("resumed");
    Invocation.trainOnMarket(
        resumed, "--set", "optimizer.schedule=constant", "--set", "training.steps=128");
    Path config = resumed.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("steps: 128", "steps: 256"));
    Invocation end = Invocation.of("resume", resumed.toString(), "--json");
    assertThat(end.code()).as(end.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.resolve("trades.csv")).hasSameTextualContentAs(whole.resolve("trades.csv"));
    assertThat(resumed.resolve("equity.csv")).hasSameTextualContentAs(whole.resolve("equity.csv"));
  }

  @Test
  void shouldEvaluateOtherPartsAndKeepTheirFilesApart() throws IOException {
    byte[] before = Files.readAllBytes(run.resolve("equity.csv"));
    JsonNode validation = evaluate("--json", "--split", "validation").json();
    assertThat(validation.get("split").textValue()).isEqualTo("validation");
    assertThat(validation.get("symbols").get(0).get("to").textValue())
        .isLessThan(
            training.json().get("evaluation").get("symbols").get(0).get("from").textValue());
    assertThat(run.resolve("equity-validation.csv")).exists();
    assertThat(run.resolve("trades-validation.csv")).exists();
    assertThat(Files.readAllBytes(run.resolve("equity.csv"))).isEqualTo(before);
  }

  /** The books in the files are those of the numbers. */
  @Test
  void shouldLeaveEquityAndTrades() throws IOException {
    JsonNode agent = training.json().get("evaluation").get("symbols").get(0).get("agent");
    List<String[]> equity = rows("equity.csv").filter(row -> row[1].equals("agent")).toList();
    assertThat(equity).hasSize(agent.get("bars").intValue() + 1);
    double first = Double.parseDouble(equity.get(0)[6]);
    double last = Double.parseDouble(equity.get(equity.size() - 1)[6]);
    assertThat(agent.get("totalReturn").doubleValue()).isCloseTo(last / first - 1, within(1e-12));

    List<String[]> trades = rows("trades.csv").toList();
    assertThat(trades).hasSize(agent.get("trades").intValue()).isNotEmpty();
    double fees = trades.stream().mapToDouble(row -> Double.parseDouble(row[7])).sum();
    assertThat(agent.get("fees").doubleValue()).isCloseTo(fees, within(1e-9));
  }

  private static Stream<String[]> rows(String file) throws IOException {
    return Files.readAllLines(run.resolve(file)).stream().skip(1).map(line -> line.split(","));
  }

  /** Studies read performances again; a field that no constructor takes would refuse them. */
  @Test
  void shouldStoreNothingThatCannotBeReadAgain() {
    assertThat(training.json().at("/evaluation/symbols/0/agent").has("annualised")).isFalse();
  }

  @Test
  void shouldEndWithTheVerdict() {
    String text = evaluate().out();
    JsonNode verdict = training.json().at("/evaluation/verdict/account");
    assertThat(text).contains("  agent ", "  buy-and-hold ", "  flat ", "  random ");
    assertThat(text).contains("\nVerdict\n  Out of sample the agent ", "not annualised: ");
    assertThat(text.contains("no evidence of skill"))
        .isEqualTo(verdict.get("skill").textValue().equals("not-shown"));
    assertThat(text).doesNotContain("Limit: ");
    assertThat(training.json().get("limit").isNull()).as("the run has no limit").isTrue();
    assertThat(text).endsWith("\nreport: %s%n".formatted(run.resolve("report-evaluation.html")));
  }

  @Test
  void shouldTakeOtherBars() {
    Path bars = directory.resolve("bars.csv");
    Invocation.of("data", "import", "demo:btc", bars.toString(), "--symbol", "OTHER");
    JsonNode numbers = evaluate("--json", "--data", bars.toString(), "--allow-gaps").json();
    assertThat(numbers.get("split").textValue()).isEqualTo("data");
    assertThat(numbers.get("symbols").get(0).get("symbol").textValue()).isEqualTo("OTHER");
    assertThat(run.resolve("equity-data.csv")).exists();
  }

  @Test
  void shouldRefuseBarsOfAnotherLength() {
    Path bars = directory.resolve("hours.csv");
    Invocation.of("data", "generate", "noise", bars.toString(), "--bars", "200");
    Refusal.require(
        evaluate("--data", bars.toString()),
        ExitCode.DATA,
        "has bars of 1h; the agent was trained with bars of 5m");
  }

  @Test
  void shouldRefuseFewerBarsThanAPassNeeds() {
    Path bars = directory.resolve("few.csv");
    Invocation.of(
        "data", "generate", "noise", bars.toString(), "--bars", "40", "--bar-length", "5m");
    Refusal.require(evaluate("--data", bars.toString()), ExitCode.DATA, "a pass needs 2");
  }

  @Test
  void shouldRefuseOptionsThatDoNotGoTogether() {
    Refusal.require(evaluate("--episodes", "3"), ExitCode.USAGE, "is one pass");
    Refusal.require(
        evaluate("--split", "test", "--data", "x.csv"), ExitCode.USAGE, "use only one of them");
    Path pole = directory.resolve("pole");
    Invocation.train(pole);
    Refusal.require(
        Invocation.of("evaluate", pole.toString(), "--split", "test"),
        ExitCode.USAGE,
        "are for runs on a market (Market-v0)");
  }

  @Test
  void shouldRefuseATestThatIsTooShortBeforeTraining() {
    Path other = directory.resolve("short");
    Invocation invocation =
        Invocation.trainOnMarket(other, "--set", "market.split={train: 0.9, validation: 0.0999}");
    Refusal.require(invocation, ExitCode.DATA, "leaves 1 bars of BTCUSD for the test");
    assertThat(other).doesNotExist();
  }

  @Test
  void shouldRefuseOtherFeaturesThanThoseOfTheAgent() throws IOException {
    Path trained = directory.resolve("trained-on-others");
    Invocation.trainOnMarket(trained, "--set", "market.features.names=[return(1), rsi(15)]");
    Path other = copy("features");
    Files.copy(
        trained.resolve("market.json"),
        other.resolve("market.json"),
        StandardCopyOption.REPLACE_EXISTING);
    Refusal.require(
        Invocation.of("evaluate", other.toString()),
        ExitCode.DATA,
        "market.features.names differs from the features of training",
        "rsi(14)",
        "rsi(15)");
  }

  @Test
  void shouldRefuseSettingsThatWereEditedSinceTraining() throws IOException {
    Path other = copy("edited");
    Path config = other.resolve("config.yaml");
    String before = Files.readString(config);
    Files.writeString(
        config, before.replace("takerBps: 10\n", "takerBps: 0\n").replace("rsi(14)", "rsi(15)"));
    for (String[] command :
        new String[][] {
          {"evaluate", other.toString()}, {"signal", other.toString(), "--data", "demo:btc"}
        }) {
      Refusal.require(
          Invocation.of(command),
          ExitCode.USAGE,
          "config.yaml has been changed since the snapshot was written",
          "market.execution.takerBps is 0, was 10",
          "market.features.names is ",
          "rsi(15)");
    }
    Files.writeString(config, before.replace("episodes: 3", "episodes: 4"));
    Invocation allowed = Invocation.of("evaluate", other.toString(), "--json");
    assertThat(allowed.code()).as(allowed.err()).isEqualTo(ExitCode.OK);
    assertThat(allowed.err()).contains("evaluation.episodes is 4, was 3");
  }

  @Test
  void shouldRefuseADamagedOrMissingBundle() throws IOException {
    Path other = copy("bundle");
    Path bundle = other.resolve("market.json");
    String whole = Files.readString(bundle);
    Files.writeString(bundle, whole.substring(0, whole.length() / 2));
    Refusal.require(
        Invocation.of("evaluate", other.toString()), ExitCode.DATA, "market.json is damaged");
    Files.writeString(bundle, whole.replace("rsi(14)", "rsi(15)"));
    Refusal.require(
        Invocation.of("evaluate", other.toString()),
        ExitCode.DATA,
        "features and scaling do not match");
    Files.delete(bundle);
    Refusal.require(
        Invocation.of("evaluate", other.toString()), ExitCode.DATA, "market.json is missing");
  }

  @Test
  void shouldRefuseChangedData() throws IOException {
    Path bars = directory.resolve("own.csv");
    Invocation.of("data", "import", "demo:btc", bars.toString());
    Path other = directory.resolve("own");
    Invocation.trainOnMarket(
        other, "--set", "market.data.files=[" + bars + "]", "--set", "market.data.gaps=allow");
    List<String> lines = Files.readAllLines(bars);
    Files.write(bars, lines.subList(0, lines.size() - 1));
    Refusal.require(
        Invocation.of("evaluate", other.toString()), ExitCode.DATA, "have changed", "--data");
  }

  private static Path copy(String name) throws IOException {
    Path target = directory.resolve(name);
    try (Stream<Path> files = Files.walk(run)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(run.relativize(file)));
      }
    }
    return target;
  }

  private static Invocation evaluate(String... more) {
    List<String> arguments = new ArrayList<>(List.of("evaluate", run.toString()));
    arguments.addAll(List.of(more));
    return Invocation.of(arguments.toArray(String[]::new));
  }
}
