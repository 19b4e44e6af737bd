package io.quantail.app.report;

import io.quantail.evidence.ConfidenceInterval;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.Performance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jsoup.nodes.Element;

/** The performance of the agent and all baselines on one symbol, as a table. */
final class NumbersSection {
  private final BaselineComparison comparison;
  private final HtmlTable table;

  private NumbersSection(Element section, BaselineComparison comparison) {
    this.comparison = comparison;
    List<String> head = new ArrayList<>(List.of(""));
    comparison
        .entries()
        .forEach(
            entry ->
                head.add(PolicyStyles.name(entry) + (entry.result().ruined() ? " (ended)" : "")));
    this.table = new HtmlTable(section, head);
  }

  static void add(Element parent, BaselineComparison comparison) {
    Element section = Page.section(parent, "Numbers");
    new NumbersSection(section, comparison).rows();
    Performance own = comparison.agent().performance();
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "%s bars, %s per year; n/a: not defined; formulas: docs/guides/markets.md.%s"
                .formatted(
                    NumberText.count(own.bars()),
                    NumberText.whole(own.barsPerYear()),
                    own.annualised()
                        ? ""
                        : String.format(
                            Locale.ROOT,
                            " Not annualised: %s days, fewer than %d.",
                            NumberText.decimal(own.days()),
                            Performance.FEWEST_DAYS)));
  }

  private void rows() {
    row("total return", numbers -> NumberText.change(numbers.totalReturn()));
    if (comparison.agent().performance().annualised()) {
      annualised();
    }
    row("max drawdown", numbers -> NumberText.share(numbers.maxDrawdown()));
    row("longest drawdown, bars", numbers -> NumberText.count(numbers.maxDrawdownBars()));
    row("CVaR 5 % of a bar's return", numbers -> NumberText.small(numbers.cvar()));
    row("bars with a gain", numbers -> NumberText.share(numbers.winRate()));
    row(
            "bars with a gain, 95 % interval",
            numbers -> interval(numbers.winRateInterval(), NumberText::share))
        .addClass("interval");
    row("profit factor", numbers -> NumberText.decimal(numbers.profitFactor()));
    row("mean exposure", numbers -> NumberText.share(numbers.exposure()));
    row("change of exposure per bar", numbers -> NumberText.share(numbers.exposureChange()));
    row("cost drag", numbers -> NumberText.share(numbers.costDrag()));
    table.row("fills", comparison.entries().stream().map(PolicyStyles::fills).toList());
  }

  private void annualised() {
    row("annual return", numbers -> NumberText.change(numbers.annualReturn()));
    row("volatility per year", numbers -> NumberText.share(numbers.volatility()));
    row("Sharpe ratio", numbers -> NumberText.decimal(numbers.sharpe()));
    row(
        "Sharpe ratio, 95 % interval",
        numbers -> interval(numbers.sharpeInterval(), NumberText::decimal));
    row("Sortino ratio", numbers -> NumberText.decimal(numbers.sortino()));
    row("Calmar ratio", numbers -> NumberText.decimal(numbers.calmar()));
  }

  private static String interval(ConfidenceInterval interval, Function<Double, String> number) {
    return Double.isNaN(interval.low())
        ? "n/a"
        : number.apply(interval.low()) + " to " + number.apply(interval.high());
  }

  private Element row(String name, Function<Performance, String> number) {
    return table.row(
        name,
        comparison.entries().stream().map(entry -> number.apply(entry.performance())).toList());
  }
}
