package io.quantail.app.report;

import io.quantail.evidence.EquityBand;
import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.performance.AccountCurve;
import io.quantail.market.performance.CalendarReturns;
import io.quantail.market.performance.DrawdownPeriod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Element;

/** Equity with its bootstrap band, drawdown below it, and the deepest drawdowns. */
final class EquitySection {
  private static final int DEEPEST = 5;
  private static final int BAND_POINTS = 300;
  private static final double MOST_REACH = 4;
  private static final double MOST_DAYS_PER_YEAR = 367;

  private EquitySection() {}

  /**
   * One account of a chart.
   *
   * @param name in the legend
   * @param tone name of its colour
   * @param shown whether it is shown at first
   * @param account over time
   */
  private record Line(String name, String tone, boolean shown, AccountCurve account) {}

  /**
   * Adds the section.
   *
   * @param seed of the bootstrap
   */
  static void add(Page page, Element parent, SheetAccount account, long seed) {
    List<Line> lines = new ArrayList<>();
    account
        .curves()
        .forEach(
            (policy, curve) ->
                lines.add(
                    new Line(
                        BaselineComparison.title(policy), policy, shown(account, policy), curve)));
    List<Chart.Series> extra = new ArrayList<>();
    Optional<EquityBand> band = band(account.agent(), seed);
    band.ifPresent(one -> extra.add(band(account.agent(), one)));
    List<Chart.Axis> panels = new ArrayList<>();
    if (account.symbol() == null) {
      extra.add(
          weight("weight of all positions", BaselineComparison.AGENT, account.agent())
              .shaped("ribbon"));
      panels.add(Chart.Axis.value("share", "weight"));
    }
    Element section =
        page.chartSection(
            parent,
            "Equity and drawdown",
            "Change since the first decision, net of all costs"
                + band.map(EquitySection::words).orElse("")
                + (shown(account, BaselineComparison.BUY_AND_HOLD)
                    ? "."
                    : "; buy-and-hold is hidden at first, a click on its name shows it.")
                + SeriesThinning.of(account.agent().times().length).note(),
            chart(lines, extra, panels).inGroup(account.id()));
    drawdowns(section, account.agent());
  }

  /** Buy-and-hold is hidden at first if the account beside it would be a flat line. */
  private static boolean shown(SheetAccount account, String policy) {
    return PolicyStyles.compared(policy)
        && (!policy.equals(BaselineComparison.BUY_AND_HOLD)
            || reach(account.hold()) <= MOST_REACH * reach(account.agent()));
  }

  private static double reach(AccountCurve account) {
    DoubleSummaryStatistics equity = Arrays.stream(account.equity()).summaryStatistics();
    return equity.getMax() - equity.getMin();
  }

  private static String words(EquityBand band) {
    return ("; the band holds 90 %% of %s accounts with the same returns in another order and"
            + " selection (mean block of %s bars), bar by bar")
        .formatted(NumberText.count(EquityBand.RESAMPLES), NumberText.decimal(band.blockLength()));
  }

  /** Adds one account of each run over each other, with the deepest drawdown of each. */
  static void compared(Page page, List<SheetAccount> runs) {
    List<Line> lines = new ArrayList<>();
    List<Chart.Series> weights = new ArrayList<>();
    for (SheetAccount run : runs) {
      String tone = String.valueOf(lines.size() + 1);
      lines.add(new Line(run.name(), tone, true, run.agent()));
      weights.add(weight(run.name(), tone, run.agent()));
    }
    Element section =
        page.chartSection(
            "Equity, drawdown and weight",
            "Change of each run's account since its first decision, net of all costs, and the"
                + " weight of all its positions.",
            chart(lines, weights, List.of(Chart.Axis.value("share", "weight"))));
    section.appendElement("h3").text("Deepest drawdown of each run");
    HtmlTable table = drawdownTable(section, "run");
    for (Line line : lines) {
      DrawdownPeriod.deepest(line.account(), 1)
          .forEach(period -> table.row(line.name(), cells(line.account(), period)));
    }
  }

  private static Chart chart(
      List<Line> lines, List<Chart.Series> extra, List<Chart.Axis> morePanels) {
    List<Chart.Series> series = new ArrayList<>();
    for (Line line : lines) {
      add(series, line, line.account().changes(), 0);
      if (line.shown()) {
        add(series, line, line.account().underwater(), 1);
      }
    }
    series.addAll(extra);
    List<Chart.Axis> panels = new ArrayList<>(List.of(Chart.Axis.value("change", "drawdown")));
    panels.addAll(morePanels);
    return Chart.of(Chart.Axis.time(), Chart.Axis.value("change", "equity"), series)
        .withLogarithm()
        .withPanels(panels.toArray(Chart.Axis[]::new));
  }

  private static void add(List<Chart.Series> series, Line line, double[] values, int panel) {
    SeriesThinning thinning = SeriesThinning.of(values.length);
    double[] times = thinning.times(line.account().times());
    Chart.Series drawn =
        Chart.Series.line(line.name(), line.tone(), times, thinning.values(values)).inPanel(panel);
    boolean filled = panel == 1 && line.tone().equals(BaselineComparison.AGENT);
    Chart.Series shaped = filled ? drawn.shaped("area") : drawn;
    series.add(line.shown() ? shaped : shaped.hiddenAtFirst());
  }

  private static Chart.Series weight(String name, String tone, AccountCurve account) {
    SeriesThinning thinning = SeriesThinning.of(account.times().length);
    return Chart.Series.line(
            name, tone, thinning.times(account.times()), thinning.values(account.exposures()))
        .inPanel(2);
  }

  private static Optional<EquityBand> band(AccountCurve account, long seed) {
    int bars = account.bars();
    int points = Math.min(bars, BAND_POINTS);
    int[] at = new int[points + 1];
    for (int i = 0; i < at.length; i++) {
      at[i] = (int) ((long) bars * i / points);
    }
    return EquityBand.of(account.logReturns(), at, seed);
  }

  private static Chart.Series band(AccountCurve account, EquityBand band) {
    double[] times = new double[band.bars().length];
    for (int i = 0; i < times.length; i++) {
      times[i] = account.times()[band.bars()[i]];
    }
    return Chart.Series.band("bootstrap 5–95 %", "agent", times, band.low(), band.high());
  }

  private static void drawdowns(Element section, AccountCurve account) {
    List<DrawdownPeriod> deepest = DrawdownPeriod.deepest(account, DEEPEST);
    section.appendElement("h3").text("Deepest drawdowns of the agent");
    if (deepest.isEmpty()) {
      section.appendElement("p").text("The account was never below its highest value so far.");
      return;
    }
    HtmlTable table = drawdownTable(section, "");
    for (int i = 0; i < deepest.size(); i++) {
      table.row(String.valueOf(i + 1), cells(account, deepest.get(i)));
    }
  }

  private static HtmlTable drawdownTable(Element section, String first) {
    return new HtmlTable(
        section, List.of(first, "begin (UTC)", "trough", "recovered", "depth", "bars"));
  }

  private static List<String> cells(AccountCurve account, DrawdownPeriod period) {
    Long recovered = period.recovered();
    return List.of(
        time(account, period.begin()),
        time(account, period.trough()),
        recovered == null ? "not yet" : time(account, recovered),
        NumberText.share(period.depth()),
        NumberText.count(period.bars()));
  }

  /** The day of a daily bar, else the minute. */
  private static String time(AccountCurve account, long close) {
    return account.barsPerYear() <= MOST_DAYS_PER_YEAR
        ? CalendarReturns.day(close).toString()
        : NumberText.time(close);
  }
}
