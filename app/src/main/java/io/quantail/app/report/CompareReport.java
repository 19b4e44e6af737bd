package io.quantail.app.report;

import io.quantail.market.backtest.BacktestResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;

/** The report on several runs side by side. */
public final class CompareReport {
  private CompareReport() {}

  /**
   * One row of a table.
   *
   * @param name label of the row
   * @param cells one per run
   */
  public record Row(String name, List<String> cells) {}

  /**
   * The whole page.
   *
   * @param runs names of the runs
   * @param notes on what cannot be compared, and why
   * @param numbers results and key metrics
   * @param settings that differ between runs
   * @param accounts passes of the agent of each run on a market, one for each symbol, by the name
   *     of the run
   * @param curves of each run, by the title of the chart
   */
  public static String html(
      List<String> runs,
      List<String> notes,
      List<Row> numbers,
      List<Row> settings,
      Map<String, List<BacktestResult>> accounts,
      Map<String, List<Curve>> curves) {
    Page page = new Page(String.join(", ", runs));
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail comparison");
    header.appendElement("h1").text(String.join(" · ", runs));
    notes.forEach(note -> header.appendElement("p").addClass("under").text("Note: " + note + "."));
    table(page.section("Results"), "", runs, numbers);
    accounts(page, accounts);
    curves(page, curves);
    Element section = page.section("Settings that differ");
    if (settings.isEmpty()) {
      section.appendElement("p").text("None: all settings are the same.");
    } else {
      table(section, "setting", runs, settings);
    }
    return page.html();
  }

  private static void accounts(Page page, Map<String, List<BacktestResult>> accounts) {
    if (accounts.isEmpty()) {
      return;
    }
    List<EquitySection.Line> lines = new ArrayList<>();
    accounts.forEach(
        (run, passes) ->
            lines.add(
                new EquitySection.Line(
                    run, String.valueOf(lines.size() + 1), true, SheetAccount.combined(passes))));
    EquitySection.compared(page, lines);
    RollingSection.compared(page, lines);
    DistributionSection.compared(page, lines);
  }

  private static void table(Element section, String corner, List<String> runs, List<Row> rows) {
    List<String> head = new ArrayList<>(List.of(corner));
    head.addAll(runs);
    HtmlTable table = new HtmlTable(section, head);
    rows.forEach(row -> table.row(row.name(), row.cells()));
  }

  private static void curves(Page page, Map<String, List<Curve>> curves) {
    Element grid = page.section("Learning curves").appendElement("div").addClass("pair");
    curves.forEach(
        (title, lines) -> {
          if (!lines.isEmpty()) {
            page.chart(grid, title, "", SpreadSection.overlaid(lines, "count", "number"));
          }
        });
  }
}
