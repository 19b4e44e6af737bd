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
    Histogram histogram = Histogram.of(returns, account.hold().logReturns());
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
        Chart.of(
                Chart.Axis.value("small", "log-return of a bar"),
                Chart.Axis.value("root", ""),
                List.of(
                    line(BaselineComparison.AGENT, histogram.places(), histogram.first()),
                    line(BaselineComparison.BUY_AND_HOLD, histogram.places(), histogram.second())))
            .marked(marks));
  }

  private static Chart.Series line(String policy, double[] places, double[] fractions) {
    return Chart.Series.line(BaselineComparison.title(policy), policy, places, fractions)
        .shaped("step");
  }
}
