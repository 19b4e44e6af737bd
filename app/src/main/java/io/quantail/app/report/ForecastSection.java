package io.quantail.app.report;

import io.quantail.market.forecast.ForecastResult;
import io.quantail.market.forecast.SymbolForecast;
import java.util.List;
import org.jsoup.nodes.Element;

/** The tests of the forecasts of the next bar. */
final class ForecastSection {
  private ForecastSection() {}

  static void add(Element parent, SymbolForecast forecast) {
    ForecastResult result = forecast.result();
    Element section = Page.section(parent, "Forecast of the next bar");
    section.appendElement("p").text(introduction(result));
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
                + " with the EWMA volatility; the difference is the forecast's score minus its score. Formulas: docs/reference/evidence.md.");
  }
}
