package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jsoup.nodes.Element;

/** Trading costs by kind. */
final class CostSection {
  private final Page page;
  private final Element parent;
  private final BaselineComparison comparison;

  CostSection(Page page, Element parent, BaselineComparison comparison) {
    this.page = page;
    this.parent = parent;
    this.comparison = comparison;
  }

  void add() {
    Element section = Page.section(parent, "Costs");
    table(section);
    BacktestResult agent = comparison.agent().result();
    SeriesThinning thinning = SeriesThinning.of(agent.series().size());
    double[] x = thinning.times(agent.series().times());
    List<Chart.Series> parts = new ArrayList<>();
    add(parts, "fees", "1", x, thinning.last(cumulative(agent, agent.series().fees())));
    add(parts, "slippage", "2", x, thinning.last(cumulative(agent, agent.series().slippage())));
    add(parts, "borrow", "3", x, thinning.last(cumulative(agent, agent.series().borrow())));
    page.chart(
        section,
        "Costs of the agent so far",
        "Sum of all costs since the first decision, as a fraction of the first equity."
            + thinning.note(),
        Chart.of(Chart.Axis.time(), Chart.Axis.value("share", ""), parts));
  }

  private static void add(
      List<Chart.Series> parts, String name, String tone, double[] x, double[] y) {
    // Costs that were never paid are not shown.
    if (y[y.length - 1] != 0) {
      parts.add(Chart.Series.line(name, tone, x, y).shaped("stack"));
    }
  }

  private static double[] cumulative(BacktestResult result, double[] costs) {
    double[] sums = new double[costs.length];
    double sum = 0;
    for (int i = 0; i < costs.length; i++) {
      sum += costs[i];
      sums[i] = sum / result.initialEquity();
    }
    return sums;
  }

  private void table(Element section) {
    List<String> head = new ArrayList<>(List.of("fraction of the first equity"));
    comparison.entries().forEach(entry -> head.add(PolicyStyles.name(entry)));
    HtmlTable table = new HtmlTable(section, head);
    row(table, "profit before costs", entry -> net(entry) + entry.performance().costDrag());
    row(table, "fees", entry -> -entry.performance().fees() / first(entry));
    row(table, "slippage", entry -> -entry.performance().slippage() / first(entry));
    row(table, "borrow", entry -> -entry.performance().borrow() / first(entry));
    row(table, "profit after costs", CostSection::net).addClass("total");
  }

  private static double net(BaselineComparison.Entry entry) {
    return entry.performance().totalReturn();
  }

  private static double first(BaselineComparison.Entry entry) {
    return entry.result().initialEquity();
  }

  private Element row(
      HtmlTable table, String name, ToDoubleFunction<BaselineComparison.Entry> share) {
    return table.row(
        name,
        comparison.entries().stream()
            .map(entry -> NumberText.change(share.applyAsDouble(entry)))
            .toList());
  }
}
