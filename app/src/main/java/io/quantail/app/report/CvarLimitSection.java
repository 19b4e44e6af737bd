package io.quantail.app.report;

import io.quantail.config.RiskConfig;
import io.quantail.evidence.RollingCvar;
import io.quantail.market.backtest.CombinedAccount;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.stress.StressResult;
import io.quantail.run.evaluation.LimitEstimate;
import io.quantail.run.evaluation.LimitPart;
import io.quantail.run.evaluation.LimitResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The CVaR limit of a run: its parts, rolling CVaR, worst years and stress. */
final class CvarLimitSection {
  private CvarLimitSection() {}

  /** Adds a tile with the status, before all others. */
  static void tile(Element tiles, LimitResult limit) {
    LimitEstimate judged = limit.judged().estimate();
    Element tile = tiles.appendElement("div").addClass("tile");
    tile.appendElement("span").addClass("name").text("CVaR limit");
    tile.appendElement("span").addClass("value").text(limit.status().id());
    tile.appendElement("span")
        .addClass("beside")
        .text(
            NumberText.minus(
                "%s, limit %s"
                    .formatted(
                        judged.measured() == null
                            ? "not defined"
                            : LimitText.value(limit, judged.measured()),
                        LimitText.value(limit, limit.limit()))));
  }

  /**
   * Adds the section.
   *
   * @param more sentences after those on the limit: tests of the forecast, what the limit cost
   */
  static Element add(Page page, LimitResult limit, List<String> more) {
    Element section = page.section("The limit");
    Element list = section.appendElement("ul");
    LimitText.sentences(limit).forEach(sentence -> list.appendElement("li").text(sentence));
    more.forEach(sentence -> list.appendElement("li").text(sentence));
    parts(section, limit);
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Kept: the whole 95 % interval is at or above the limit. Broken: it is below. Kept"
                + " means kept on these bars: a calm sample cannot show a storm."
                + " Formulas: docs/reference/evidence.md.");
    return section;
  }

  /**
   * Adds what the limit cost in a study.
   *
   * @param part head of the first column
   * @param cost null if it was not measured, which adds nothing
   */
  static void cost(Element section, String part, @Nullable StudyLimitCost cost) {
    if (cost == null) {
      return;
    }
    section.appendElement("h3").text("What the limit cost");
    Element list = section.appendElement("ul");
    cost.sentences().forEach(sentence -> list.appendElement("li").text(sentence));
    HtmlTable table =
        new HtmlTable(
            section, List.of(part, "return", "change", "CVaR", "change", "max drawdown", "change"));
    cost.rows().forEach(row -> row(table, cost, row));
    row(table, cost, cost.total()).addClass("total");
    section
        .appendElement("p")
        .addClass("note")
        .text(
            "Means over seeds of the agents with the limit; a change is their result minus that of"
                + " the same settings and seeds trained without the limit.");
  }

  private static Element row(HtmlTable table, StudyLimitCost cost, StudyLimitCost.Row row) {
    return table.row(
        row.part(),
        List.of(
            NumberText.minus(cost.result(row.totalReturn())),
            NumberText.minus(cost.change(row.returnDifference())),
            row.cvar() == null ? "not defined" : NumberText.minus(cost.cvar(row.cvar())),
            row.cvarDifference() == null
                ? "–"
                : NumberText.minus(cost.cvarChange(row.cvarDifference())),
            row.maxDrawdown() == null ? "–" : NumberText.share(row.maxDrawdown()),
            optional(row.drawdownDifference())));
  }

  private static void parts(Element section, LimitResult limit) {
    HtmlTable table =
        new HtmlTable(
                section,
                List.of(
                    "part",
                    "status",
                    "CVaR [95 % interval]",
                    "samples",
                    "in the tail",
                    "worst year",
                    "worst 250 bars"))
            .secondIsText();
    for (LimitPart part : limit.parts()) {
      row(table, part.part(), limit, part.estimate(), part);
      if (part.bar() != null) {
        row(table, part.part() + ", single bars", limit, part.bar(), null);
      }
      part.symbols()
          .forEach((symbol, one) -> row(table, part.part() + ", " + symbol, limit, one, null));
    }
  }

  private static void row(
      HtmlTable table,
      String name,
      LimitResult limit,
      LimitEstimate estimate,
      @Nullable LimitPart part) {
    table.row(
        name,
        List.of(
            estimate.status().id(),
            cell(limit, estimate),
            "%s %s".formatted(NumberText.count(estimate.samples()), estimate.unit()),
            NumberText.count(estimate.tailSamples()),
            year(part == null ? null : part.worstYear()),
            window(part == null ? null : part.worstWindow())));
  }

  /** A CVaR with its interval. */
  static String cell(LimitResult limit, LimitEstimate estimate) {
    return NumberText.minus(LimitText.cell(limit, estimate));
  }

  private static String year(LimitPart.@Nullable WorstYear year) {
    return year == null
        ? "–"
        : String.format(Locale.ROOT, "%d: %s", year.year(), worst(year.cvar(), year.multiple()));
  }

  private static String window(LimitPart.@Nullable WorstWindow window) {
    return window == null ? "–" : worst(window.cvar(), window.multiple());
  }

  private static String worst(double cvar, @Nullable Double multiple) {
    return NumberText.small(cvar)
        + (multiple == null ? "" : ", %s ×".formatted(NumberText.decimal(multiple)));
  }

  /** Adds the rolling CVaR of the judged bars and the stress tables. */
  static void market(Page page, Element section, RiskConfig risk, MarketEvaluationResult market) {
    rolling(page, section, risk, market.evidence().agent());
    market.stress().forEach(stress -> stress(section, stress));
  }

  private static void rolling(
      Page page, Element section, RiskConfig risk, CombinedAccount account) {
    Double limit = risk.limit();
    if (account.logReturns().length < RollingCvar.WINDOW || limit == null) {
      return;
    }
    double[] cvar = RollingCvar.series(account.logReturns(), risk.alpha(), RollingCvar.WINDOW);
    long[] times =
        Arrays.copyOfRange(account.times(), RollingCvar.WINDOW - 1, account.times().length);
    SeriesThinning thinning = SeriesThinning.of(cvar.length);
    Chart chart =
        Chart.of(
            Chart.Axis.time(),
            Chart.Axis.value("small", ""),
            List.of(
                Chart.Series.line(
                    "CVaR of 250 bars", "agent", thinning.times(times), thinning.values(cvar))));
    boolean bars = risk.measure() == RiskConfig.Measure.REWARDS;
    page.chart(
        section,
        "CVaR of the last 250 bars",
        "Mean of the worst %s of the 250 log-returns up to each close.%s%s"
            .formatted(
                LimitText.share(risk.alpha()),
                bars ? "" : " The limit is not that of single bars and is not drawn.",
                thinning.note()),
        bars ? chart.marked(List.of(new Chart.Mark("y", limit, "limit", "limit"))) : chart);
  }

  private static void stress(Element section, StressResult stress) {
    section.appendElement("h3").text("Stress of " + stress.symbol());
    HtmlTable table =
        new HtmlTable(
            section,
            List.of("scenario", "return", "max drawdown", "worst bar", "if units are kept"));
    for (StressResult.Scenario scenario : stress.scenarios()) {
      table.row(
          scenario.name() + (scenario.ended() ? " (ended)" : ""),
          List.of(
              NumberText.change(scenario.totalReturn()),
              scenario.maxDrawdown() == null ? "–" : NumberText.share(scenario.maxDrawdown()),
              optional(scenario.worstBar()),
              optional(scenario.heldReturn())));
    }
    section
        .appendElement("p")
        .addClass("note")
        .text(
            (stress.weight() == null
                    ? "The account had ended before the last close."
                    : "Instant changes act on the weight at the last close, %s; the agent decides on"
                            .formatted(NumberText.share(stress.weight()))
                        + " each bar of a path, which follows that close.")
                + " Paths are daily returns of the S&P 500, replayed bar by bar: docs/guides/markets.md.");
  }

  private static String optional(@Nullable Double share) {
    return share == null ? "–" : NumberText.change(share);
  }
}
