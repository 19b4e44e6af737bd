package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.SymbolForecast;
import java.util.Arrays;
import java.util.List;
import org.jsoup.nodes.Element;

/** The forecast of the next bar: returns with VaR, and the tests of the forecasts. */
final class ForecastSection {
  private final Page page;
  private final Element parent;
  private final BacktestResult agent;
  private final SymbolForecast forecast;
  private final String group;

  ForecastSection(
      Page page,
      Element parent,
      BaselineComparison comparison,
      SymbolForecast forecast,
      int symbol) {
    this.page = page;
    this.parent = parent;
    this.agent = comparison.agent().result();
    this.forecast = forecast;
    this.group = "symbol-" + symbol;
  }

  void add() {
    ForecastResult result = forecast.result();
    Element section = Page.section(parent, "Forecast of the next bar");
    section.appendElement("p").text(introduction(result));
    if (result.bars() > 0) {
      chart(section);
    }
    if (result.refusal() != null) {
      section.appendElement("p").text("The forecast is not tested: " + result.refusal() + ".");
      return;
    }
    result
        .levels()
        .forEach(
            level -> section.appendElement("p").text(level.tests() + " " + level.comparison()));
    table(section, result.levels());
  }

  private static String introduction(ForecastResult result) {
    return ("Beside the agent a small network learns the distribution of the account's log-return in the"
            + " next bar, net of costs, from training bars alone. %s bars have a forecast; %s without"
            + " position and order, whose return is 0, are left out.%s")
        .formatted(
            NumberText.count(result.bars()),
            NumberText.count(result.idle()),
            result.gains() == 0
                ? ""
                : " The CVaR forecast for %s bars is no loss, so their depth and score are undefined."
                    .formatted(NumberText.count(result.gains())));
  }

  private void chart(Element section) {
    SeriesThinning thinning = SeriesThinning.of(agent.series().size());
    double[] times = thinning.times(agent.series().times());
    double[] returns = thinning.lowest(agent.logReturns());
    double[] var = thinning.lowest(orZero(forecast.pass().var()));
    double[] cvar = thinning.lowest(orZero(forecast.pass().cvar()));
    String level = NumberText.share(forecast.pass().alpha());
    page.chart(
        section,
        "Returns and VaR",
        "Log-return of each bar and the VaR and CVaR that were forecast at the close before. Returns"
            + " below VaR should be %s of the bars. Without a position VaR is 0.".formatted(level)
            + (thinning.barsPerPoint() == 1 ? "" : " The lowest values of each point are shown.")
            + thinning.note(),
        Chart.of(
                Chart.Axis.time(),
                Chart.Axis.value("small", ""),
                List.of(
                    Chart.Series.line("return", "agent", times, returns).shaped("dots"),
                    Chart.Series.line("VaR " + level, "limit", times, var),
                    Chart.Series.line("CVaR " + level, "random", times, cvar).hiddenAtFirst()))
            .inGroup(group));
  }

  private static double[] orZero(double[] values) {
    return Arrays.stream(values).map(value -> Double.isNaN(value) ? 0 : value).toArray();
  }

  private static String pValue(double value) {
    return value < 0.001 ? "< 0.001" : NumberText.general(value);
  }

  private static void table(Element section, List<ForecastResult.Level> levels) {
    HtmlTable table =
        new HtmlTable(
            section,
            List.of(
                "level",
                "below VaR",
                "expected",
                "coverage p",
                "conditional p",
                "Z2",
                "depth p",
                "light",
                "score FZ0",
                "RiskMetrics",
                "95 % of difference"));
    for (ForecastResult.Level level : levels) {
      table.row(
          NumberText.share(level.alpha()),
          List.of(
              NumberText.count(level.exceedances()),
              NumberText.decimal(level.expected()),
              pValue(level.coveragePValue()),
              pValue(level.conditionalPValue()),
              NumberText.decimal(level.depth()),
              pValue(level.depthPValue()),
              level.light(),
              NumberText.general(level.score()),
              NumberText.general(level.riskMetricsScore()),
              NumberText.general(level.scoreDifference().low())
                  + " to "
                  + NumberText.general(level.scoreDifference().high())));
    }
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Coverage (Kupiec), conditional coverage (Christoffersen) and depth (Acerbi, Szekely) reject"
                + " the forecast at a p-value below 0.05. A forecast that is not rejected is not proven."
                + " The light is no test. A lower score is better; RiskMetrics is a normal distribution"
                + " with the EWMA volatility; the difference is the forecast's score minus its score. Formulas: docs/evidence.md.");
  }
}
