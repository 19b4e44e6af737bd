package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.evaluation.BaselineComparison.Entry;
import io.quantail.market.performance.HoldingTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jsoup.nodes.Element;

/** Costs by kind, turnover and holding times of one symbol. */
final class PositionSection {
  private final Page page;
  private final Element section;
  private final BaselineComparison comparison;
  private final List<Entry> entries;

  PositionSection(Page page, Element parent, BaselineComparison comparison) {
    this.page = page;
    this.section = Page.section(parent, "Costs, turnover and positions");
    this.comparison = comparison;
    this.entries =
        comparison.entries().stream()
            .filter(entry -> PolicyStyles.compared(entry.result().policy()))
            .toList();
  }

  void add(String group) {
    Element pair = section.appendElement("div").addClass("pair");
    table(pair.appendElement("div"));
    chart(pair, group);
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Profit and costs as fractions of the first equity; a position is a sequence of bars"
                + " whose weights have one sign.");
  }

  private void table(Element parent) {
    List<String> head = new ArrayList<>(List.of(""));
    entries.forEach(entry -> head.add(PolicyStyles.name(entry)));
    HtmlTable table = new HtmlTable(parent, head);
    share(table, "profit before costs", entry -> net(entry) + entry.performance().costDrag());
    share(table, "fees", entry -> -entry.performance().fees() / first(entry));
    share(table, "slippage", entry -> -entry.performance().slippage() / first(entry));
    share(table, "borrow", entry -> -entry.performance().borrow() / first(entry));
    share(table, "profit after costs", PositionSection::net).addClass("total");
    if (comparison.agent().performance().annualised()) {
      row(
          table,
          "turnover per year, × equity",
          entry -> NumberText.decimal(entry.performance().annualTurnover()));
    }
    row(table, "fills", PolicyStyles::fills);
    holding(table);
  }

  private void holding(HtmlTable table) {
    Function<Entry, HoldingTimes> times = entry -> HoldingTimes.of(entry.result());
    row(table, "positions", times.andThen(one -> NumberText.count(one.positions())));
    row(table, "median holding, bars", times.andThen(one -> NumberText.bars(one.medianBars())));
    row(table, "longest holding, bars", times.andThen(one -> NumberText.count(one.longestBars())));
    row(
        table,
        "positions with a gain after costs",
        times.andThen(one -> NumberText.share(one.winRate())));
  }

  private void chart(Element parent, String group) {
    BacktestResult agent = comparison.agent().result();
    SeriesThinning thinning = SeriesThinning.of(agent.series().size());
    double[] x = thinning.times(agent.series().times());
    List<Chart.Series> parts = new ArrayList<>();
    add(parts, "fees", "1", x, thinning.values(cumulative(agent, agent.series().fees())));
    add(parts, "slippage", "2", x, thinning.values(cumulative(agent, agent.series().slippage())));
    add(parts, "borrow", "3", x, thinning.values(cumulative(agent, agent.series().borrow())));
    page.chart(
        parent,
        "Costs of the agent so far",
        "Sum of all costs since the first decision, as a fraction of the first equity."
            + thinning.note(),
        Chart.of(Chart.Axis.time(), Chart.Axis.value("share", ""), parts).inGroup(group));
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

  private static double net(Entry entry) {
    return entry.performance().totalReturn();
  }

  private static double first(Entry entry) {
    return entry.result().initialEquity();
  }

  private Element share(HtmlTable table, String name, Function<Entry, Double> share) {
    return row(table, name, share.andThen(NumberText::change));
  }

  private Element row(HtmlTable table, String name, Function<Entry, String> text) {
    return table.row(name, entries.stream().map(text).toList());
  }
}
