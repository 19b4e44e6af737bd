package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.risk.EmpiricalCvar;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Element;

/** The distribution of the returns of bars, with CVaR and limit. */
final class DistributionSection {
  private DistributionSection() {}

  static void add(Page page, Element parent, SheetAccount account, RiskConfig risk) {
    double[] returns = account.agent().logReturns();
    Histogram histogram = Histogram.of(List.of(returns, account.hold().logReturns()));
    double cvar = EmpiricalCvar.empirical(returns, risk.alpha(), 0).cvar();
    List<Chart.Mark> marks = new ArrayList<>();
    marks.add(new Chart.Mark("x", cvar, "CVaR", "agent"));
    Double limit = risk.limit();
    if (limit != null && risk.measure() == RiskConfig.Measure.REWARDS) {
      marks.add(new Chart.Mark("x", limit, "limit", "limit"));
    }
    page.chartSection(
        parent,
        "Distribution of returns",
        "Fraction of bars by log-return on a root scale; the CVaR, the mean of the worst %s, is %s."
            .formatted(LimitText.share(risk.alpha()), NumberText.small(cvar)),
        chart(
                List.of(
                    line(BaselineComparison.AGENT, histogram, 0),
                    line(BaselineComparison.BUY_AND_HOLD, histogram, 1)))
            .marked(marks));
  }

  /** The distributions of one account of each run; the results have CVaR and limit of each. */
  static void compared(Page page, List<SheetAccount> runs) {
    Histogram histogram = Histogram.of(runs.stream().map(run -> run.agent().logReturns()).toList());
    List<Chart.Series> series = new ArrayList<>();
    for (SheetAccount run : runs) {
      int sample = series.size();
      series.add(line(run.name(), String.valueOf(sample + 1), histogram, sample));
    }
    page.chartSection(
        "Distribution of returns",
        "Fraction of bars by log-return on a root scale.",
        chart(series));
  }

  private static Chart chart(List<Chart.Series> series) {
    return Chart.of(
        Chart.Axis.value("small", "log-return of a bar"), Chart.Axis.value("root", ""), series);
  }

  private static Chart.Series line(String policy, Histogram histogram, int sample) {
    return line(BaselineComparison.title(policy), policy, histogram, sample);
  }

  private static Chart.Series line(String name, String tone, Histogram histogram, int sample) {
    return Chart.Series.line(name, tone, histogram.places(), histogram.fractions().get(sample))
        .shaped("step");
  }
}
