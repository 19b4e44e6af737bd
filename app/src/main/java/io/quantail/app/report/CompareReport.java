package io.quantail.app.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;

/** The report on several runs side by side. */
public final class CompareReport {
  /** A page with more tear sheets would exceed 5 MB. */
  private static final int MOST_SHEETS = 8;

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
   * @param markets the runs on a market that have an evaluation
   * @param curves of each run, by the title of the chart
   */
  public static String html(
      List<String> runs,
      List<String> notes,
      List<Row> numbers,
      List<Row> settings,
      List<ComparedRun> markets,
      Map<String, List<Curve>> curves) {
    Page page = new Page(String.join(", ", runs));
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail comparison");
    header.appendElement("h1").text(String.join(" · ", runs));
    notes.forEach(note -> header.appendElement("p").addClass("under").text("Note: " + note + "."));
    table(page.section("Results"), "", runs, numbers);
    accounts(page, markets);
    curves(page, curves);
    Element section = page.section("Settings that differ");
    if (settings.isEmpty()) {
      section.appendElement("p").text("None: all settings are the same.");
    } else {
      table(section, "setting", runs, settings);
    }
    sheets(page, markets);
    return page.html();
  }

  private static void accounts(Page page, List<ComparedRun> runs) {
    if (runs.isEmpty()) {
      return;
    }
    List<SheetAccount> accounts =
        runs.stream().map(run -> SheetAccount.of(run.symbols()).get(0).named(run.name())).toList();
    EquitySection.compared(page, accounts);
    RollingSection.compared(page, accounts);
    DistributionSection.compared(page, accounts);
    CalendarSection.add(page.main(), accounts);
    RegimeSection.add(page.main(), accounts);
  }

  /** The tear sheet of each run; of many accounts only those of all symbols together. */
  private static void sheets(Page page, List<ComparedRun> runs) {
    if (runs.isEmpty() || runs.size() > MOST_SHEETS) {
      return;
    }
    page.section("Each run")
        .appendElement("p")
        .text("The tear sheet of one run at a time; the run's own report has more.");
    int symbols = runs.stream().mapToInt(run -> run.symbols().size()).sum();
    for (int i = 0; i < runs.size(); i++) {
      TearSheet sheet = new TearSheet(page, runs.get(i), i + 1);
      if (symbols <= MOST_SHEETS) {
        sheet.add(runs.get(i).nextBars());
      } else {
        sheet.addWhole(runs.get(i).nextBars());
      }
    }
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
