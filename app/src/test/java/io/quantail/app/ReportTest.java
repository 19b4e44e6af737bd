package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a run: its sections, its numbers and its content security policy. */
@Requirement("REP-1")
class ReportTest {
  private static final List<String> POLICIES =
      List.of(
          "agent",
          "buy-and-hold",
          "agent's mean weight (hindsight)",
          "200-bar average",
          "agent's volatility (hindsight)",
          "flat",
          "random");

  @TempDir private static Path directory;
  private static Path run;
  private static Invocation training;
  private static Document page;

  @BeforeAll
  static void train() throws IOException {
    run = directory.resolve("first").resolve("run");
    training = Invocation.trainOnMarket(run);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    page = parse(run.resolve("report.html"));
  }

  private static Document parse(Path file) throws IOException {
    return Jsoup.parse(Files.readString(file));
  }

  @Test
  void shouldHaveEverySection() {
    assertThat(page.select("h2").eachText())
        .containsExactly(
            "Price, fills and weight",
            "Equity and drawdown",
            "Returns by day",
            "Sharpe ratio, volatility and beta of the last 71 bars",
            "Distribution of returns",
            "Costs, turnover and positions",
            "Regimes",
            "Numbers",
            "Verdict",
            "Evidence",
            "Expected and realised",
            "The tail",
            "Forecast of the next bar",
            "Risk limits at work",
            "Trades",
            "Training",
            "Alerts",
            "Provenance");
    assertThat(page.select("h3").eachText())
        .contains(
            "Deepest drawdowns of the agent",
            "Costs of the agent so far",
            "Quantiles: predicted and realised",
            "Realised returns by predicted decile",
            "Explained variance of the critics");
    assertThat(page.select("button.logarithmic")).hasSize(2);
    assertThat(page.select(".tile .name").eachText())
        .containsExactly(
            "return after costs", "CVaR 5 % of bars", "max drawdown", "Sharpe ratio per bar");
    assertThat(page.select(".promise dd").first().text())
        .isEqualTo("nothing: the run has no limit");
  }

  @Test
  void shouldHaveTheVerdictOfTheCommandAsHeadline() {
    String sentence =
        Invocation.of("evaluate", run.toString())
            .out()
            .lines()
            .filter(line -> line.startsWith("  Out of sample"))
            .map(String::strip)
            .findFirst()
            .orElseThrow();
    assertThat(page.select("h1").text()).startsWith(sentence);
  }

  @Test
  void shouldShowTheNumbersOfTheResult() {
    JsonNode symbol = training.json().get("evaluation").get("symbols").get(0);
    List<JsonNode> columns =
        List.of(
            symbol.get("agent"),
            symbol.get("baselines").get("buyAndHold"),
            symbol.get("baselines").get("exposureMatched"),
            symbol.get("baselines").get("sma200"),
            symbol.get("baselines").get("volatilityMatched"),
            symbol.get("baselines").get("flat"),
            symbol.get("baselines").get("random"));
    Element table = page.select("h2:containsOwn(Numbers)").first().parent().selectFirst("table");
    assertThat(table.select("thead th").eachText()).containsExactlyElementsOf(POLICIES);
    for (int i = 0; i < columns.size(); i++) {
      JsonNode numbers = columns.get(i);
      assertThat(cell(table, "total return", i))
          .isEqualTo(percent(numbers, "totalReturn", "%+.2f"));
      assertThat(cell(table, "max drawdown", i)).isEqualTo(percent(numbers, "maxDrawdown", "%.2f"));
      assertThat(cell(table, "cost drag", i)).isEqualTo(percent(numbers, "costDrag", "%.2f"));
      assertThat(cell(table, "mean exposure", i)).isEqualTo(percent(numbers, "exposure", "%.2f"));
      assertThat(cell(table, "CVaR 5 % of a bar's return", i))
          .isEqualTo(percent(numbers, "cvar", "%.3f"));
      assertThat(cell(table, "fills", i))
          .isEqualTo(String.format(Locale.ROOT, "%,d", numbers.get("trades").intValue()));
      assertThat(numbers.get("sharpe").isNull()).as("a week is not annualised").isTrue();
    }
  }

  private static String cell(Element table, String row, int column) {
    Element head =
        table.select("tbody th").stream()
            .filter(element -> element.text().equals(row))
            .findFirst()
            .orElseThrow();
    return head.parent().select("td").get(column).text();
  }

  private static String percent(JsonNode numbers, String name, String pattern) {
    double value = 100 * numbers.get(name).doubleValue();
    return text(value == 0 ? pattern.replace("+", "") : pattern, value) + " %";
  }

  private static String text(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value).replace('-', '−');
  }

  @Test
  void shouldDrawWhatTheTablesSay() throws IOException {
    JsonNode charts = new ObjectMapper().readTree(page.getElementById("data").data()).get("charts");
    assertThat(page.select("[data-chart]")).hasSize(charts.size());
    List<JsonNode> equity = new ArrayList<>();
    chart(charts, "Equity and drawdown")
        .get("series")
        .forEach(
            series -> {
              if (series.get("panel").intValue() == 0) {
                equity.add(series);
              }
            });
    assertThat(equity.stream().limit(POLICIES.size()).map(one -> one.get("name").textValue()))
        .containsExactlyElementsOf(POLICIES);
    JsonNode evaluation = training.json().get("evaluation");
    assertThat(equity.get(0).at("/y/0").doubleValue()).as("the first decision").isZero();
    assertThat(last(equity.get(0)))
        .isCloseTo(evaluation.get("totalReturn").doubleValue(), within(1e-6));
    assertThat(last(equity.get(1)))
        .isCloseTo(evaluation.at("/baselines/buyAndHold").doubleValue(), within(1e-6));
    double costs = 0;
    for (JsonNode part : chart(charts, "Costs of the agent so far").get("series")) {
      costs += last(part);
    }
    assertThat(costs)
        .isCloseTo(evaluation.at("/symbols/0/agent/costDrag").doubleValue(), within(1e-6));
  }

  private static JsonNode chart(JsonNode charts, String title) {
    String index =
        page.select(".chart-title").stream()
            .filter(heading -> heading.child(0).text().equals(title))
            .map(heading -> heading.parent().select("[data-chart]").attr("data-chart"))
            .findFirst()
            .orElseThrow();
    return charts.get(Integer.parseInt(index));
  }

  private static double last(JsonNode series) {
    JsonNode values = series.get("y");
    return values.get(values.size() - 1).doubleValue();
  }

  @Test
  void shouldShowProvenance() {
    String text = page.select("h2:containsOwn(Provenance)").first().parent().text();
    assertThat(text).contains("data fingerprint of BTCUSD", "quantail", "java", "seed 1");
    assertThat(page.select("th:containsOwn(network.hidden) + td").text()).isEqualTo("8");
    assertThat(page.select("details th").eachText()).contains("ppo.ratioBound");
    assertThat(page.select("details th").eachText()).doesNotContain("network.hidden");
  }

  @Test
  void shouldNameThePageLast() throws IOException {
    Path report = run.resolve("report.html");
    assertThat(training.json().get("report").textValue()).isEqualTo(report.toString());
    Path other = directory.resolve("pages").resolve("mine.html");
    Invocation evaluation =
        Invocation.of("evaluate", run.toString(), "--json", "--report", other.toString());
    assertThat(evaluation.json().get("report").textValue()).isEqualTo(other.toString());
    assertThat(Invocation.withoutLedger(other)).isEqualTo(Invocation.withoutLedger(report));
    Refusal.require(
        Invocation.of("evaluate", run.toString(), "--report", other.toString()),
        ExitCode.USAGE,
        "exists; choose another name");
  }

  @Test
  void shouldKeepReportsOfOtherPartsApart() throws IOException {
    byte[] before = Files.readAllBytes(run.resolve("report.html"));
    JsonNode validation =
        Invocation.of("evaluate", run.toString(), "--json", "--split", "validation").json();
    Path report = run.resolve("report-validation.html");
    assertThat(validation.get("report").textValue()).isEqualTo(report.toString());
    assertThat(parse(report).select("h1").text()).startsWith("On the validation bars the agent");
    assertThat(Files.readAllBytes(run.resolve("report.html"))).isEqualTo(before);
  }

  @Test
  void shouldHaveTheSameBytesForTheSameRun() throws IOException {
    Path second = directory.resolve("second").resolve("run");
    Invocation.trainOnMarket(second);
    String first = Invocation.withoutLedger(run.resolve("report.html"));
    assertThat(Invocation.withoutLedger(second.resolve("report.html"))).isEqualTo(first);
    Invocation.of("evaluate", second.toString());
    assertThat(Invocation.withoutLedger(second.resolve("report.html")))
        .as("written again by evaluate")
        .isEqualTo(first);
  }

  /** The content security policy allows only the scripts of the page. */
  @Test
  void shouldLoadNothing() throws NoSuchAlgorithmException {
    assertThat(page.select("[src], link, img, iframe, object, embed, base")).isEmpty();
    assertThat(page.select("[href]").eachAttr("href")).allMatch(link -> link.startsWith("#"));
    assertThat(page.select("style").first().data()).doesNotContain("url(", "@import", "http");
    String policy = page.select("meta[http-equiv=Content-Security-Policy]").attr("content");
    assertThat(policy).startsWith("default-src 'none'; ").doesNotContain("http");
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Element script : page.select("script:not([type])")) {
      byte[] hash = digest.digest(script.data().getBytes(StandardCharsets.UTF_8));
      assertThat(policy).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
    }
  }

  @Test
  void shouldTakeNamesForNames() throws IOException {
    String evil = "<script>alert(1)<";
    String symbol = "</script><script>alert(2)</script>";
    Path other = directory.resolve(evil + "img src=x onerror=alert(3)>");
    Invocation invocation =
        Invocation.trainOnMarket(
            other,
            "--set",
            "market.data.symbols=['" + symbol + "']",
            "--set",
            "market.risk.killFile='\"><img src=x onerror=alert(4)>'");
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    Document parsed = parse(other.resolve("report.html"));
    assertThat(parsed.select("script")).hasSize(3);
    assertThat(parsed.select("img, [onerror]")).isEmpty();
    assertThat(parsed.title()).startsWith(evil);
    assertThat(parsed.select(".under").text()).startsWith(symbol + ", test bars");
    assertThat(parsed.select("th:containsOwn(market.risk.killFile) + td").text())
        .isEqualTo("\"><img src=x onerror=alert(4)>");
    assertThat(parsed.getElementById("data").data()).doesNotContain("<");
  }

  @Test
  void shouldReportEpisodes() throws IOException {
    Path pole = directory.resolve("pole");
    JsonNode result = Invocation.train(pole).json();
    Document parsed = parse(Path.of(result.get("report").textValue()));
    assertThat(parsed.select("h2").eachText())
        .containsExactly("Evaluation", "Training", "Alerts", "Provenance");
    double mean = result.at("/evaluation/meanReturn").doubleValue();
    assertThat(parsed.select("h1").text())
        .startsWith("CartPoleNoVelocity-v1: mean return " + text("%.2f", mean))
        .endsWith("over 3 deterministic episodes");
    assertThat(parsed.select("h3").eachText()).contains("Mean return of episodes");
  }

  @Test
  void shouldShowWhetherTheLimitWasKept() throws IOException {
    Path limited = directory.resolve("limited");
    Invocation invocation =
        Invocation.trainOnMarket(limited, "--set", "risk.mode=policy", "--set", "risk.limit=-0.5");
    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    Document parsed = parse(limited.resolve("report.html"));
    assertThat(parsed.select("h2:containsOwn(The limit)").first().parent().text())
        .contains("The limit was kept on the test bars: ")
        .contains("and the limit is -50.000 %.");
    assertThat(parsed.select("h3").eachText()).contains("CVaR measured in training");
  }

  @Test
  void shouldShowTheAlertsOfTheHealthRules() throws IOException {
    Path other = directory.resolve("alerts").resolve("run");
    Invocation.train(other);
    Files.writeString(
        other.resolve("alerts.jsonl"),
        """
        {"update":1,"steps":128,"rule":"gradient-norm","severity":"warning","state":"raised","metric":"m","value":73.2,"seen":"It was <b>73</b>.","why":"Too large.","try":"a lower rate"}
        {"update":2,"steps":256,"rule":"gradient-norm","severity":"warning","state":"ended"}
        {"update":2,"steps":256,"rule":"entr""");
    Invocation.of("evaluate", other.toString());
    Element section =
        parse(other.resolve("report-evaluation.html"))
            .select("h2:containsOwn(Alerts)")
            .first()
            .parent();
    assertThat(section.select("tbody tr").eachText())
        .containsExactly(
            "gradient-norm warning 1 to 2 It was <b>73</b>. Too large. Try: a lower rate");
  }
}
