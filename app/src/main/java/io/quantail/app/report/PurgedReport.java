package io.quantail.app.report;

import io.quantail.config.RunConfig;
import io.quantail.market.data.Bars;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.walkforward.PathNumbers;
import io.quantail.market.walkforward.PurgedResult;
import io.quantail.market.walkforward.PurgedResult.PathResult;
import io.quantail.market.walkforward.PurgedResult.Range;
import io.quantail.run.evaluation.LimitResult;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on a combinatorial purged cross-validation. */
public final class PurgedReport {
  /** A chart of more curves cannot be read. */
  private static final int MOST_CURVES = 10;

  private PurgedReport() {}

  /**
   * The whole page.
   *
   * @param name of the directory
   * @param bars of each symbol
   * @param limit null if there is none
   * @param trials number of evaluations on these bars; null if it is not known
   */
  public static String html(
      String name,
      RunConfig config,
      List<Bars> bars,
      PurgedResult result,
      @Nullable PurgedLimit limit,
      @Nullable Integer trials) {
    Page page = page(name, result);
    if (limit != null) {
      limit(page, result, limit);
    }
    EvidenceSection.addCount(page, trials);
    PathResult median = result.ranked((result.paths().size() - 1) / 2);
    TearSheet sheet = new TearSheet(page, config.risk(), median.seed(), result.compared(median));
    Element header = page.header();
    header
        .appendElement("p")
        .addClass("under")
        .text("The median path, %s:".formatted(name(median)));
    sheet.header(limit == null ? null : limit.ofMedian(), null, TrialEvidence.count(trials));
    sheet.add(result.nextBars(median));
    RunSections.settings(
        page.section("Provenance"), WalkForwardReport.origin(config, bars), SettingRow.of(config));
    return page.html();
  }

  /** A page with the results and without settings. */
  static Page page(String name, PurgedResult result) {
    Page page = new Page(name);
    Element header = page.header();
    header
        .appendElement("p")
        .addClass("kicker")
        .text("Quantail purged cross-validation report · " + name);
    header.appendElement("h1").addClass(result.isGood() ? "good" : "bad").text(result.verdict());
    header.appendElement("p").addClass("note").text(PurgedResult.CAVEAT);
    Element paths = page.section("Paths");
    page.chart(
        paths, "Equity", caption(result), SpreadSection.stitched(curves(result), held(result)));
    paths(paths, result);
    groups(page.section("Groups"), result);
    return page;
  }

  private static void limit(Page page, PurgedResult result, PurgedLimit limit) {
    Element section =
        CvarLimitSection.add(
            page, limit.ofMedian(), ForecastText.sentence(limit.forecasts()).stream().toList());
    section
        .appendElement("p")
        .text("The sentences and the first table are those of the path with the median return.");
    CvarLimitSection.cost(section, "fold", limit.cost());
    section.appendElement("h3").text("Every path");
    HtmlTable table = new HtmlTable(section, List.of("path", "status", "CVaR [95 % interval]"));
    for (int i = 0; i < limit.paths().size(); i++) {
      LimitResult path = limit.paths().get(i);
      table.row(
          name(result.paths().get(i)),
          List.of(path.status().id(), CvarLimitSection.cell(path, path.judged().estimate())));
    }
  }

  private static String caption(PurgedResult result) {
    String which =
        result.paths().size() > MOST_CURVES
            ? "The paths with the lowest, the median and the highest return. "
            : "";
    return which
        + "Each line is one path through all groups; every group is traded by an agent that was not"
        + " trained on it, begins flat and ends with a sale. Net of all costs.";
  }

  private static List<Curve> curves(PurgedResult result) {
    int count = result.paths().size();
    List<PathResult> shown =
        count > MOST_CURVES
            ? List.of(result.ranked(0), result.ranked((count - 1) / 2), result.ranked(count - 1))
            : result.paths();
    return shown.stream().map(path -> curve(name(path), path)).toList();
  }

  private static Curve held(PurgedResult result) {
    return curve("buy-and-hold", result.buyAndHold());
  }

  private static Curve curve(String name, PathResult path) {
    return WalkForwardReport.combined(name, path.symbols());
  }

  private static String name(PathResult path) {
    return String.format(Locale.ROOT, "seed %d, path %d", path.seed(), path.path());
  }

  private static void paths(Element section, PurgedResult result) {
    String cvar = "CVaR %s of a bar".formatted(result.level());
    HtmlTable table =
        new HtmlTable(section, List.of("path", "return", "Sharpe ratio", "max drawdown", cvar));
    result.paths().forEach(path -> table.row(name(path), cells(path.numbers())));
    table.row("lowest", ranges(result, Range::lowest)).addClass("total");
    table.row("median", ranges(result, Range::median)).addClass("total");
    table.row("highest", ranges(result, Range::highest)).addClass("total");
    table.row("buy-and-hold", cells(result.buyAndHold().numbers()));
  }

  private static List<String> cells(PathNumbers numbers) {
    return List.of(
        NumberText.change(numbers.totalReturn()),
        NumberText.decimal(numbers.sharpe()),
        NumberText.share(numbers.maxDrawdown()),
        NumberText.small(numbers.cvar()));
  }

  private static List<String> ranges(PurgedResult result, Function<Range, Double> which) {
    return cells(
        new PathNumbers(
            which.apply(result.range(PathNumbers::totalReturn)),
            which.apply(result.range(PathNumbers::sharpe)),
            which.apply(result.range(PathNumbers::maxDrawdown)),
            which.apply(result.range(PathNumbers::cvar))));
  }

  private static void groups(Element section, PurgedResult result) {
    HtmlTable table =
        new HtmlTable(
                section, List.of("group", "bars", "lowest", "median", "highest", "buy-and-hold"))
            .secondIsText();
    for (int group = 0; group < result.groups(); group++) {
      long[] times = result.groupTimes(group);
      Range returns = result.groupRange(group);
      table.row(
          String.valueOf(group + 1),
          List.of(
              NumberText.time(times[0]) + " to " + NumberText.time(times[1]),
              NumberText.change(returns.lowest()),
              NumberText.change(returns.median()),
              NumberText.change(returns.highest()),
              NumberText.change(result.buyAndHold().groups().get(group))));
    }
  }
}
