package io.quantail.app.report;

import io.quantail.evidence.ConfidenceInterval;
import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.Performance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jsoup.nodes.Element;

/** Charts of equity, drawdown and exposure of one symbol, and its performance table. */
final class AccountSections {
  private final Page page;
  private final Element parent;
  private final BaselineComparison comparison;
  private final String group;
  private final BacktestResult agent;
  private final SeriesThinning thinning;
  private final double[] times;

  AccountSections(Page page, Element parent, BaselineComparison comparison, int symbol) {
    this.page = page;
    this.parent = parent;
    this.comparison = comparison;
    this.group = "symbol-" + symbol;
    this.agent = comparison.agent().result();
    this.thinning = SeriesThinning.of(agent.series().size());
    this.times = thinning.times(agent.series().times());
  }

  void add() {
    charts();
    numbers();
  }

  @SuppressWarnings("ReferenceEquality") // the agent is one of the entries; others may be equal
  private void charts() {
    Element section = Page.section(parent, "Account");
    List<Chart.Series> equity = new ArrayList<>();
    List<Chart.Series> drawdown = new ArrayList<>();
    for (BaselineComparison.Entry entry : comparison.entries()) {
      BacktestResult result = entry.result();
      SeriesThinning own = SeriesThinning.of(result.series().size());
      double[] x = own.times(result.series().times());
      Chart.Series growth = series(entry, x, own.last(growth(result)));
      equity.add(growth);
      Chart.Series fall = series(entry, x, own.lowest(drawdown(result)));
      drawdown.add(entry == comparison.agent() ? fall.shaped("area") : fall);
    }
    page.chart(
        section,
        "Equity",
        "Change of the account since the first decision, net of all costs. The other"
            + " baselines are hidden at first: click their names."
            + thinning.note(),
        chart("change", equity).withLogarithm());
    page.chart(
        section,
        "Drawdown",
        "Distance of the account below its highest value so far.",
        chart("change", drawdown));
    Chart.Series exposure =
        series(comparison.agent(), times, thinning.last(agent.series().exposures()));
    page.chart(
        section,
        "Exposure",
        "Weight of the position in the account at each close; 100 % is fully invested, below 0 is"
            + " short.",
        chart("share", List.of(exposure.shaped("step"))));
  }

  private Chart chart(String format, List<Chart.Series> series) {
    return Chart.of(Chart.Axis.time(), Chart.Axis.value(format, ""), series).inGroup(group);
  }

  private static Chart.Series series(BaselineComparison.Entry entry, double[] x, double[] y) {
    Chart.Series series =
        Chart.Series.line(PolicyStyles.name(entry), PolicyStyles.tone(entry), x, y);
    return PolicyStyles.compared(entry) ? series : series.hiddenAtFirst();
  }

  private static double[] growth(BacktestResult result) {
    double[] growth = result.series().equity().clone();
    for (int i = 0; i < growth.length; i++) {
      growth[i] = growth[i] / result.initialEquity() - 1;
    }
    return growth;
  }

  private static double[] drawdown(BacktestResult result) {
    double[] falls = result.series().equity().clone();
    double peak = result.initialEquity();
    for (int i = 0; i < falls.length; i++) {
      peak = Math.max(peak, falls[i]);
      falls[i] = falls[i] / peak - 1;
    }
    return falls;
  }

  private void numbers() {
    Element section = Page.section(parent, "Numbers");
    List<String> head = new ArrayList<>(List.of(""));
    comparison
        .entries()
        .forEach(
            entry ->
                head.add(PolicyStyles.name(entry) + (entry.result().ruined() ? " (ended)" : "")));
    HtmlTable table = new HtmlTable(section, head);
    row(table, "total return", numbers -> NumberText.change(numbers.totalReturn()));
    Performance own = comparison.agent().performance();
    if (own.annualised()) {
      annualised(table);
    }
    row(table, "max drawdown", numbers -> NumberText.share(numbers.maxDrawdown()));
    row(table, "longest drawdown, bars", numbers -> NumberText.count(numbers.maxDrawdownBars()));
    row(table, "CVaR 5 % of a bar's return", numbers -> NumberText.small(numbers.cvar()));
    row(table, "bars with a gain", numbers -> NumberText.share(numbers.winRate()));
    row(
        table,
        "bars with a gain, 95 % interval",
        numbers -> interval(numbers.winRateInterval(), NumberText::share));
    row(table, "profit factor", numbers -> NumberText.decimal(numbers.profitFactor()));
    row(table, "mean exposure", numbers -> NumberText.share(numbers.exposure()));
    row(table, "change of exposure per bar", numbers -> NumberText.share(numbers.exposureChange()));
    row(table, "cost drag", numbers -> NumberText.share(numbers.costDrag()));
    row(table, "trades", numbers -> NumberText.count(numbers.trades()));
    row(table, "round trips", numbers -> NumberText.count(numbers.positions()));
    row(table, "round trips with a gain", numbers -> NumberText.share(numbers.positionWinRate()));
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "%s bars; the data have %s per year. n/a: not defined, such as a Sharpe ratio without variance. Formulas: docs/trading.md."
                    .formatted(NumberText.count(own.bars()), NumberText.whole(agent.barsPerYear()))
                + (own.annualised()
                    ? ""
                    : " Not annualised: %s days, fewer than %d."
                        .formatted(NumberText.decimal(own.days()), Performance.FEWEST_DAYS)));
  }

  private void annualised(HtmlTable table) {
    row(table, "annual return", numbers -> NumberText.change(numbers.annualReturn()));
    row(table, "volatility per year", numbers -> NumberText.share(numbers.volatility()));
    row(table, "Sharpe ratio", numbers -> NumberText.decimal(numbers.sharpe()));
    row(
        table,
        "Sharpe ratio, 95 % interval",
        numbers -> interval(numbers.sharpeInterval(), NumberText::decimal));
    row(table, "Sortino ratio", numbers -> NumberText.decimal(numbers.sortino()));
    row(table, "Calmar ratio", numbers -> NumberText.decimal(numbers.calmar()));
    row(
        table,
        "turnover per year, × equity",
        numbers -> NumberText.whole(numbers.annualTurnover()));
  }

  private static String interval(ConfidenceInterval interval, Function<Double, String> number) {
    return Double.isNaN(interval.low())
        ? "n/a"
        : number.apply(interval.low()) + " to " + number.apply(interval.high());
  }

  private void row(HtmlTable table, String name, Function<Performance, String> number) {
    table.row(
        name,
        comparison.entries().stream().map(entry -> number.apply(entry.performance())).toList());
  }
}
