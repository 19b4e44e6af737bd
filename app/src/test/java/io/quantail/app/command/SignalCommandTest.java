package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code signal} on a file that ends with a bar equals the decision of {@code evaluate} at it. */
@Requirement("SIG-1")
class SignalCommandTest {
  @TempDir private static Path directory;
  private static Path run;
  private static List<String> bars;

  @BeforeAll
  static void train() throws IOException {
    run = directory.resolve("run");
    Path file = directory.resolve("all.csv");
    Invocation.of("data", "import", "demo:btc", file.toString());
    bars = Files.readAllLines(file);
    // A short test, so that a command for every bar of it takes seconds.
    Invocation training =
        Invocation.trainOnMarket(
            run,
            "--set",
            "market.data.gaps=allow",
            "--set",
            "market.split={train: 0.9, validation: 0.06}");
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldEqualTheDecisionOfEvaluateAtEveryTestBar() throws IOException {
    List<String[]> steps =
        Files.readAllLines(run.resolve("equity.csv")).stream()
            .map(line -> line.split(",", -1))
            .filter(row -> row[1].equals("agent"))
            .skip(1) // the account's start
            .toList();
    int firstMarked = line(steps.get(0)[2]);
    String since = bars.get(firstMarked - 1).split(",")[0];
    assertThat(steps).hasSizeGreaterThan(40);
    int forecasts = 0;
    for (int step = 0; step < steps.size(); step++) {
      int decided = firstMarked - 1 + step;
      JsonNode signal = signal(decided, "--json", "--since", since).json();
      String target = steps.get(step)[4];
      assertThat(signal.get("targetWeight").doubleValue()).isEqualTo(Double.parseDouble(target));
      assertThat(signal.get("time").textValue()).isEqualTo(bars.get(decided).split(",")[0]);
      JsonNode forecast = signal.get("forecast");
      assertThat(forecast.path("var").asText()).as("VaR").isEqualTo(steps.get(step)[11]);
      assertThat(forecast.path("cvar").asText()).as("CVaR").isEqualTo(steps.get(step)[12]);
      forecasts += forecast.isNull() ? 0 : 1;
    }
    assertThat(forecasts).isGreaterThan(20);
  }

  @Test
  void shouldBeDeterministic() {
    Invocation first = signal(200, "--json");
    Invocation second = signal(200, "--json");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    assertThat(second).isEqualTo(first);
    JsonNode expected = first.json().get("expected");
    assertThat(expected.get("quantiles").fieldNames())
        .toIterable()
        .containsExactly("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99");
    assertThat(expected.get("cvar").doubleValue()).isLessThan(expected.get("mean").doubleValue());
    assertThat(first.json().get("id").textValue()).startsWith("BTCUSD:13");
  }

  /** The table of the documentation has every field of the output, in its order, and no other. */
  @Test
  @Requirement("SIG-2")
  void shouldHaveTheDocumentedFields() throws IOException {
    JsonNode signal = signal(200, "--json").json();
    List<String> fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : signal.properties()) {
      fields.add(field.getKey());
      if (field.getValue().isObject()) {
        field
            .getValue()
            .fieldNames()
            .forEachRemaining(name -> fields.add(field.getKey() + "." + name));
      }
    }
    Path page = Path.of(System.getProperty("quantail.root"), "docs", "reference", "signal.md");
    List<String> documented =
        Files.readAllLines(page).stream()
            .dropWhile(line -> !line.startsWith("## Fields"))
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .toList();
    assertThat(fields).containsExactlyElementsOf(documented);
  }

  @Test
  @Requirement("SIG-2")
  void shouldRefuseOldUnfinishedMissingAndRepeatedBars() throws IOException {
    Refusal.require(
        signal(200, "--now", "2013-11-26T12:00:00Z"),
        ExitCode.DATA,
        "the last bar of BTCUSD closed at",
        "should be there",
        "--now");
    Refusal.require(
        signal(200, "--now", "2013-11-25T00:00:00Z"), ExitCode.DATA, "that are not finished");
    Refusal.require(
        Invocation.of("signal", run.toString(), "--data", "demo:btc"),
        ExitCode.DATA,
        "should be there");
    Refusal.require(
        signal(200, "--now", "yesterday"), ExitCode.USAGE, "--now must be a time such as");
    String repeated = bars.get(150);
    List<String> rows = new ArrayList<>(bars.subList(0, 201));
    rows.add(151, repeated);
    Path file = directory.resolve("repeated.csv");
    Files.write(file, rows);
    Invocation twice =
        Invocation.of("signal", run.toString(), "--data", file.toString(), "--now", "last-bar");
    assertThat(twice.code()).isEqualTo(ExitCode.DATA);
    assertThat(twice.out()).isEmpty();
  }

  @Test
  void shouldPrintText() {
    assertThat(signal(200).out()).contains("BTCUSD at 2013-11-25T", "  target weight  ", "CVaR");
    assertThat(signal(200).out()).containsPattern("  next bar       VaR 0.05: -[0-9.]+, CVaR: -");
  }

  @Test
  void shouldRefuseFewerBarsThanTheWarmup() {
    Refusal.require(signal(40), ExitCode.DATA, "are for the warm-up), a decision needs 1");
  }

  @Test
  void shouldRefuseARunThatIsNotOnAMarket() {
    Path pole = directory.resolve("pole");
    Invocation.train(pole);
    Refusal.require(
        Invocation.of("signal", pole.toString(), "--data", "demo:btc"),
        ExitCode.USAGE,
        "signal needs a run on a market (Market-v0)");
  }

  /** Line of the bar with the given close; the header is line 0. */
  private static int line(String time) {
    for (int i = 1; i < bars.size(); i++) {
      if (bars.get(i).startsWith(time + ",")) {
        return i;
      }
    }
    throw new AssertionError("no bar closes at " + time);
  }

  /** Runs the command on the first bars. */
  private static Invocation signal(int count, String... more) {
    try {
      Path file = directory.resolve("first-" + count + ".csv");
      Files.write(file, bars.subList(0, count + 1));
      List<String> arguments =
          new ArrayList<>(List.of("signal", run.toString(), "--data", file.toString()));
      if (!List.of(more).contains("--now")) {
        arguments.addAll(List.of("--now", "last-bar"));
      }
      arguments.addAll(List.of(more));
      return Invocation.of(arguments.toArray(String[]::new));
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
