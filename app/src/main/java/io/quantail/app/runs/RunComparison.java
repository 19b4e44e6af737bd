package io.quantail.app.runs;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.report.CompareReport;
import io.quantail.app.report.ComparedRun;
import io.quantail.app.report.Curve;
import io.quantail.app.report.LimitText;
import io.quantail.app.report.RunFacts;
import io.quantail.config.RunConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.evaluation.StoredAccounts;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.split.SplitSettings;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.settings.ConfigDiff;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A comparison of several runs, as rows and as a page. */
public final class RunComparison {
  private static final String NONE = "–";

  private final List<RunOverview> runs;
  private final List<String> names;

  public RunComparison(List<RunOverview> runs) {
    this.runs = List.copyOf(runs);
    this.names = List.copyOf(names(runs));
  }

  /** The names of the runs, in order. */
  public List<String> names() {
    return names;
  }

  /** Directory names if they are distinct, else whole paths. */
  private static List<String> names(List<RunOverview> runs) {
    List<String> brief = runs.stream().map(RunOverview::name).toList();
    return brief.stream().distinct().count() == brief.size()
        ? brief
        : runs.stream().map(run -> run.directory().toString()).toList();
  }

  /** Notes on results that cannot be compared, with the reason. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    List<String> environments =
        runs.stream().map(run -> run.config().environment().name()).distinct().toList();
    if (environments.size() > 1) {
      notes.add(
          "these runs are on different environments (%s), so their returns cannot be compared; steps, settings and learning metrics can"
              .formatted(String.join(", ", environments)));
    }
    for (int i = 0; i < runs.size(); i++) {
      if (!runs.get(i).finished()) {
        notes.add(
            "%s has not ended and has no evaluation; resume with: quantail resume %s"
                .formatted(names.get(i), runs.get(i).directory()));
      }
    }
    if (environments.size() == 1 && runs.get(0).onMarket() && differentBars()) {
      notes.add("these runs were evaluated on different bars, so their results cannot be compared");
    }
    return notes;
  }

  private boolean differentBars() {
    return runs.stream()
            .filter(RunOverview::finished)
            .map(run -> bars(run.evaluation()))
            .distinct()
            .count()
        > 1;
  }

  private static List<String> bars(JsonNode evaluation) {
    List<String> bars = new ArrayList<>();
    evaluation
        .path("symbols")
        .forEach(
            symbol ->
                bars.add(
                    "%s %s %s"
                        .formatted(
                            symbol.path("symbol").asText(),
                            symbol.path("from").asText(),
                            symbol.path("to").asText())));
    return bars;
  }

  /** Rows of numbers, one column per run. */
  public List<CompareReport.Row> rows() {
    List<CompareReport.Row> rows = new ArrayList<>();
    add(rows, "state", run -> run.finished() ? "ended" : "not ended");
    add(rows, "environment", run -> run.config().environment().name());
    add(rows, "seed", run -> String.valueOf(run.config().seed()));
    add(rows, "steps", run -> format("%,d", run.metrics().steps()));
    add(rows, "updates", run -> format("%,d", run.metrics().updates()));
    if (runs.stream().anyMatch(RunOverview::onMarket)) {
      add(rows, "return", run -> percent(run.evaluation().path("totalReturn")));
      add(rows, "buy-and-hold", run -> percent(run.evaluation().at("/baselines/buyAndHold")));
      add(rows, "Sharpe ratio", run -> ofSymbols(run, "sharpe", 1, "%.2f"));
      addEvidence(rows);
      add(rows, "max drawdown", run -> ofSymbols(run, "maxDrawdown", 100, "%.2f %%"));
      add(rows, "CVaR 5 % per bar", run -> ofSymbols(run, "cvar", 100, "%.3f %%"));
      add(rows, "mean weight", run -> ofSymbols(run, "exposure", 1, "%.2f"));
      add(rows, "turnover per year", run -> ofSymbols(run, "annualTurnover", 1, "%.2f"));
      add(rows, "cost drag", run -> ofSymbols(run, "costDrag", 100, "%.2f %%"));
      add(rows, "returns below VaR", RunComparison::exceedances);
    }
    if (runs.stream().anyMatch(run -> !run.onMarket())) {
      add(rows, "evaluation, mean return", RunComparison::episodes);
    }
    add(rows, "skill", run -> run.evaluation().at("/verdict/account/skill").asText(NONE));
    addLimit(rows);
    RunFacts.DRAWN.forEach((metric, name) -> add(rows, "last " + metric, run -> last(run, metric)));
    add(
        rows,
        "alerts raised",
        run -> String.valueOf(RunReader.alerts(run.directory()).alerts().size()));
    rows.removeIf(row -> row.cells().stream().allMatch(NONE::equals));
    return rows;
  }

  private void addEvidence(List<CompareReport.Row> rows) {
    add(rows, "evaluated on these bars", ofLedger(one -> TrialEvidence.times(one.trials())));
    add(rows, "N_eff", ofLedger(one -> number("%.1f", one.effectiveTrials())));
    add(rows, "deflated Sharpe ratio", ofLedger(one -> number("%.3f", one.deflatedSharpe())));
    add(
        rows,
        "p_max",
        ofLedger(one -> (one.pMaxIsLowerBound() ? "≥ " : "") + number("%.3f", one.pMax())));
  }

  private static Function<RunOverview, String> ofLedger(Function<TrialEvidence, String> cell) {
    return run -> run.evidence() == null ? NONE : cell.apply(run.evidence());
  }

  private static String number(String pattern, @Nullable Double value) {
    return value == null ? NONE : format(pattern, value);
  }

  private void addLimit(List<CompareReport.Row> rows) {
    add(rows, "CVaR limit", ofLimit(limit -> LimitText.value(limit, limit.limit())));
    add(rows, "limit", ofLimit(limit -> limit.status().id()));
    add(
        rows,
        "CVaR, 95 % interval",
        ofLimit(limit -> LimitText.cell(limit, limit.judged().estimate())));
    add(rows, "worst year / limit", ofLimit(limit -> multiple(limit.judged().worstYear())));
  }

  private static Function<RunOverview, String> ofLimit(Function<LimitResult, String> cell) {
    return run -> run.limit() == null ? NONE : cell.apply(run.limit());
  }

  private static String multiple(LimitPart.@Nullable WorstYear year) {
    return year == null || year.multiple() == null
        ? NONE
        : format("%.2f (%d)", year.multiple(), year.year());
  }

  private void add(List<CompareReport.Row> rows, String name, Function<RunOverview, String> cell) {
    rows.add(new CompareReport.Row(name, runs.stream().map(cell).toList()));
  }

  private static String percent(JsonNode share) {
    return share.isNumber() ? format("%+.2f %%", 100 * share.doubleValue()) : NONE;
  }

  /** The mean over the symbols of a run. */
  private static String ofSymbols(RunOverview run, String number, double factor, String pattern) {
    List<JsonNode> values = run.evaluation().path("symbols").findValues("agent");
    double[] defined =
        values.stream()
            .map(agent -> agent.path(number))
            .filter(JsonNode::isNumber)
            .mapToDouble(JsonNode::doubleValue)
            .toArray();
    return defined.length == 0 || defined.length < values.size()
        ? NONE
        : format(pattern, factor * Arrays.stream(defined).average().orElseThrow());
  }

  /** Returns of all symbols below the VaR that was forecast, with the number that was expected. */
  private static String exceedances(RunOverview run) {
    int found = 0;
    double expected = 0;
    for (ForecastResult forecast : ForecastResult.read(run.directory())) {
      if (!forecast.levels().isEmpty()) {
        found += forecast.levels().get(0).exceedances();
        expected += forecast.levels().get(0).expected();
      }
    }
    return expected == 0 ? NONE : format("%,d (%,.0f expected)", found, expected);
  }

  private static String episodes(RunOverview run) {
    JsonNode mean = run.evaluation().path("meanReturn");
    return run.onMarket() || !mean.isNumber()
        ? NONE
        : format(
            "%.2f ± %.2f", mean.doubleValue(), run.evaluation().path("stdReturn").doubleValue());
  }

  private static String last(RunOverview run, String metric) {
    Curve curve = run.metrics().curves().get(metric);
    return curve == null ? NONE : format("%.4g", curve.y()[curve.y().length - 1]);
  }

  /** Settings that are not the same in all runs. */
  public List<CompareReport.Row> settings() {
    List<Map<String, String>> all =
        runs.stream().map(run -> ConfigDiff.flat(run.config())).toList();
    TreeSet<String> paths = new TreeSet<>();
    all.forEach(settings -> paths.addAll(settings.keySet()));
    List<CompareReport.Row> rows = new ArrayList<>();
    for (String path : paths) {
      List<String> values = all.stream().map(one -> one.getOrDefault(path, NONE)).toList();
      if (values.stream().distinct().count() > 1) {
        rows.add(new CompareReport.Row(path, values));
      }
    }
    return rows;
  }

  public String html() {
    Map<String, List<Curve>> curves = new LinkedHashMap<>();
    RunFacts.DRAWN.forEach(
        (metric, name) -> {
          List<Curve> lines = new ArrayList<>();
          for (int i = 0; i < runs.size(); i++) {
            Curve curve = runs.get(i).metrics().curves().get(metric);
            if (curve != null) {
              lines.add(new Curve(names.get(i), curve.x(), curve.y()));
            }
          }
          curves.put(name, lines);
        });
    return CompareReport.html(names, notes(), rows(), settings(), markets(), curves);
  }

  /** The runs that were evaluated on a market. */
  private List<ComparedRun> markets() {
    List<ComparedRun> markets = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      RunConfig config = runs.get(i).config();
      String name = names.get(i);
      JsonNode barsPerYear = runs.get(i).evaluation().at("/symbols/0/agent/barsPerYear");
      if (barsPerYear.isNumber()) {
        StoredAccounts.read(
                runs.get(i).directory(),
                barsPerYear.doubleValue(),
                ForecastResult.tailLevel(config.risk().alpha()),
                config.seed())
            .map(stored -> accounts(stored, config))
            .ifPresent(
                stored ->
                    markets.add(
                        new ComparedRun(
                            name,
                            config.risk(),
                            config.seed(),
                            stored.symbols(),
                            stored.nextBars())));
      }
    }
    return markets;
  }

  private static StoredAccounts accounts(StoredAccounts stored, RunConfig config) {
    SplitSettings split = MarketProvider.settings(config).split();
    return split.by() == SplitSettings.By.PURGED
        ? stored.chained(split.testedGroups().size(), config.seed())
        : stored;
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
