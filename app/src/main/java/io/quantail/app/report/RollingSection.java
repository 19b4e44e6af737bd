package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.RollingMeasures;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Element;

/** Sharpe ratio, volatility and beta of the last bars; no section if there are too few bars. */
final class RollingSection {
  private RollingSection() {}

  static void add(Page page, Element parent, SheetAccount account) {
    RollingMeasures.of(account.agent(), account.hold())
        .ifPresent(agent -> add(page, parent, account, agent));
  }

  private static void add(Page page, Element parent, SheetAccount account, RollingMeasures agent) {
    List<Chart.Series> series = new ArrayList<>(lines(BaselineComparison.AGENT, agent));
    series.add(line(BaselineComparison.AGENT, agent, agent.beta(), 2));
    AccountCurve hold = account.hold();
    RollingMeasures.of(hold, hold)
        .ifPresent(other -> series.addAll(lines(BaselineComparison.BUY_AND_HOLD, other)));
    String unit = agent.annualised() ? "per year" : "per bar";
    page.chartSection(
        parent,
        "Sharpe ratio, volatility and beta of the last %s bars"
            .formatted(NumberText.count(agent.window())),
        "Each value is that of the %s bars up to its close, %s; beta is against buy-and-hold.%s"
            .formatted(
                NumberText.count(agent.window()),
                agent.annualised()
                    ? "annualised"
                    : "not annualised because they cover less than 90 days",
                SeriesThinning.of(agent.times().length).note()),
        Chart.of(Chart.Axis.time(), Chart.Axis.value("number", "Sharpe ratio " + unit), series)
            .inGroup(account.id())
            .withPanels(
                Chart.Axis.value("share", "volatility " + unit),
                Chart.Axis.value("number", "beta")));
  }

  /** The same of one account of each run; none of an account with too few bars. */
  static void compared(Page page, List<SheetAccount> runs) {
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      SheetAccount run = runs.get(i);
      String tone = String.valueOf(i + 1);
      RollingMeasures.of(run.agent(), run.hold())
          .ifPresent(
              measures -> {
                series.add(line(run.name(), tone, measures, measures.sharpe(), 0));
                series.add(line(run.name(), tone, measures, measures.volatility(), 1));
                series.add(line(run.name(), tone, measures, measures.beta(), 2));
              });
    }
    if (!series.isEmpty()) {
      page.chartSection(
          "Sharpe ratio, volatility and beta over time",
          "Of the last half year up to each close, at most a quarter of the bars; annualised if"
              + " that is at least 90 days, else per bar; beta is against buy-and-hold of the run's"
              + " bars.",
          Chart.of(Chart.Axis.time(), Chart.Axis.value("number", "Sharpe ratio"), series)
              .withPanels(
                  Chart.Axis.value("share", "volatility"), Chart.Axis.value("number", "beta")));
    }
  }

  private static List<Chart.Series> lines(String policy, RollingMeasures measures) {
    return List.of(
        line(policy, measures, measures.sharpe(), 0),
        line(policy, measures, measures.volatility(), 1));
  }

  private static Chart.Series line(
      String policy, RollingMeasures measures, double[] values, int panel) {
    return line(BaselineComparison.title(policy), policy, measures, values, panel);
  }

  private static Chart.Series line(
      String name, String tone, RollingMeasures measures, double[] values, int panel) {
    SeriesThinning thinning = SeriesThinning.of(values.length);
    return Chart.Series.line(name, tone, thinning.times(measures.times()), thinning.values(values))
        .inPanel(panel);
  }
}
