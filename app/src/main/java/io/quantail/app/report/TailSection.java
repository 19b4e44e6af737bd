package io.quantail.app.report;

import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RiskConfig;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.ForecastCalibration;
import io.quantail.risk.EmpiricalCvar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;

/** Predicted against realised returns, and the tail against its limit. */
final class TailSection {
  private static final int FEW = 30;

  private final Page page;
  private final Element parent;
  private final BaselineComparison comparison;
  private final ForecastCalibration calibration;
  private final RiskConfig risk;

  TailSection(
      Page page,
      Element parent,
      BaselineComparison comparison,
      ForecastCalibration calibration,
      RiskConfig risk) {
    this.page = page;
    this.parent = parent;
    this.comparison = comparison;
    this.calibration = calibration;
    this.risk = risk;
  }

  void add() {
    forecast();
    tail();
  }

  private void forecast() {
    Element section = Page.section(parent, "Expected and realised");
    section.appendElement("p").text(compared());
    if (calibration.decisions() == 0) {
      section
          .appendElement("p")
          .text(
              "The bars end too early for a comparison with gamma %s."
                  .formatted(calibration.gamma()));
      return;
    }
    Element pair = section.appendElement("div").addClass("pair");
    coverage(pair);
    between(pair);
  }

  private String compared() {
    return ("At every decision the critics predict the distribution of the discounted log-return from"
            + " there on, Σ gamma^k ln(E[t+k+1]/E[t+k]) with gamma %s. It is compared with the return that the"
            + " agent realised, discounted in the same way to the end of these bars. %s decisions are"
            + " compared; %s at the end are not, because more than 5 %% of their weight lies beyond the end."
            + " Returns of neighbouring decisions overlap: they count like about %s independent"
            + " ones%s. The critics were trained with sampled actions; here the most likely ones are taken.")
        .formatted(
            calibration.gamma(),
            NumberText.count(calibration.decisions()),
            NumberText.count(calibration.tooLate()),
            NumberText.whole(calibration.independent()),
            calibration.independent() < FEW ? ", too few for a firm conclusion" : "");
  }

  private void coverage(Element parentOfPair) {
    double[] levels =
        ForecastCalibration.LEVELS.stream().mapToDouble(Double::doubleValue).toArray();
    Chart.Series right =
        Chart.Series.line(
            "a calibrated forecast", "flat", new double[] {0, 1}, new double[] {0, 1});
    Chart.Series own = Chart.Series.line("agent", "agent", levels, calibration.coverage());
    page.chart(
        parentOfPair,
        "Quantiles: predicted and realised",
        "Fraction of realised returns below each predicted quantile; above the line they were worse than"
            + " expected.",
        Chart.of(
            Chart.Axis.value("share", "predicted fraction below"),
            Chart.Axis.value("share", "realised fraction below"),
            List.of(own.shaped("points"), right)));
  }

  private void between(Element parentOfPair) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      names.add(String.format(Locale.ROOT, "%d–%d", 10 * i, 10 * i + 10));
    }
    Chart chart =
        Chart.of(
            Chart.Axis.categories("predicted percentiles", names),
            Chart.Axis.value("share", "fraction of realised returns"),
            List.of(Chart.Series.bars("agent", "agent", calibration.between())));
    page.chart(
        parentOfPair,
        "Realised returns by predicted decile",
        "PIT histogram: a calibrated forecast has 10 % in each decile; high ends mean that it is too"
            + " narrow.",
        chart.marked(List.of(new Chart.Mark("y", 0.1, "10 %", "flat"))));
  }

  private void tail() {
    Element section = Page.section(parent, "The tail");
    section.appendElement("p").text(limit());
    String share = NumberText.general(100 * risk.alpha()).replaceFirst("\\.?0+$", "") + " %";
    HtmlTable table =
        new HtmlTable(
            section, List.of("CVaR, mean of the worst " + share, "predicted", "realised", "limit"));
    table.row(
        "log-return of a bar",
        List.of(
            "not predicted",
            NumberText.small(realisedOfBars()),
            limitOf(RiskConfig.Measure.REWARDS)));
    table.row(
        "discounted log-return from a bar on",
        List.of(
            NumberText.small(calibration.predictedCvar()),
            NumberText.small(calibration.realisedCvar()),
            limitOf(RiskConfig.Measure.RETURNS)));
    table.row(
        "mean of the same",
        List.of(
            NumberText.small(calibration.predictedMean()),
            NumberText.small(calibration.realisedMean()),
            ""));
    tailOfPredictions(table);
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Predicted: mean over decisions of the critics' predictions. Realised: over the same decisions"
                + " for discounted returns, over all bars for returns of single bars.");
  }

  /** The decisions whose realised return lies in the tail that was predicted for them. */
  private void tailOfPredictions(HtmlTable table) {
    CalibrationSummary measured = calibration.measured();
    if (measured != null && measured.tailRealised() != null && measured.tailPredicted() != null) {
      table.row(
          "decisions that ended in their predicted tail",
          List.of(
              NumberText.small(measured.tailPredicted()),
              NumberText.small(measured.tailRealised()),
              ""));
    }
  }

  private String limit() {
    return risk.limit() == null
        ? "The run has no CVaR limit; the CVaR is measured nevertheless."
        : "Whether the limit was kept is in the section The limit.";
  }

  private String limitOf(RiskConfig.Measure measure) {
    return risk.limit() != null && risk.measure() == measure
        ? NumberText.small(risk.limit())
        : "none";
  }

  private double realisedOfBars() {
    double[] logReturns = comparison.agent().result().logReturns();
    return EmpiricalCvar.empirical(logReturns, risk.alpha(), 0).cvar();
  }
}
