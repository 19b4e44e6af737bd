package io.quantail.app.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jsoup.nodes.Element;

/** Results by fold and seed: chained accounts, a chart of folds and a table. */
final class SpreadSection {
  private SpreadSection() {}

  static void add(Page page, SpreadData spread) {
    Element account = page.section("Out of sample, fold after fold");
    page.chart(
        account,
        "Equity",
        "Each line is one seed: the test bars of all folds, one after the other, each traded by an"
            + " agent that was trained before them. Net of all costs.",
        stitched(spread.stitched(), spread.buyAndHold()));
    Element folds = page.section("Folds and seeds");
    page.chart(
        folds,
        "Return of each fold",
        "One bar per seed: the differences between seeds show how much training depends on chance.",
        folds(spread));
    table(folds, spread);
  }

  /** Chained accounts beside buy-and-hold. */
  static Chart stitched(List<Curve> accounts, Curve hold) {
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < accounts.size(); i++) {
      series.add(line(accounts.get(i), i + 1));
    }
    series.add(line(hold, 0));
    return Chart.of(Chart.Axis.time(), Chart.Axis.value("change", ""), series).withLogarithm();
  }

  /** Several curves in one chart, each in its own colour. */
  static Chart overlaid(List<Curve> curves, String horizontal, String vertical) {
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < curves.size(); i++) {
      series.add(line(curves.get(i), i + 1));
    }
    return Chart.of(
        Chart.Axis.value(horizontal, "environment steps"), Chart.Axis.value(vertical, ""), series);
  }

  private static Chart.Series line(Curve curve, int number) {
    SeriesThinning thinning = SeriesThinning.of(curve.y().length);
    return Chart.Series.line(
        curve.name(),
        number == 0 ? "baseline" : String.valueOf(number),
        thinning.positions(curve.x()),
        thinning.values(curve.y()));
  }

  private static Chart folds(SpreadData spread) {
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < spread.seeds().size(); i++) {
      int seed = i;
      double[] returns =
          spread.folds().stream().mapToDouble(fold -> fold.returns()[seed]).toArray();
      series.add(Chart.Series.bars(spread.seeds().get(i), String.valueOf(i + 1), returns));
    }
    double[] hold = spread.folds().stream().mapToDouble(SpreadData.Fold::buyAndHold).toArray();
    series.add(Chart.Series.bars("buy-and-hold", "baseline", hold));
    List<String> names = spread.folds().stream().map(fold -> "fold " + fold.name()).toList();
    return Chart.of(Chart.Axis.categories("", names), Chart.Axis.value("change", ""), series);
  }

  private static void table(Element section, SpreadData spread) {
    List<String> head = new ArrayList<>(List.of("fold", "bars"));
    head.addAll(spread.seeds());
    head.addAll(List.of("median", "worst", "best", "buy-and-hold"));
    HtmlTable table = new HtmlTable(section, head).secondIsText();
    for (SpreadData.Fold fold : spread.folds()) {
      Element row = table.row(fold.name());
      row.appendElement("td").text(fold.bars());
      numbers(row, fold.returns(), fold.buyAndHold());
    }
    Element all = table.row("all").addClass("total");
    all.appendElement("td").text("one after the other");
    numbers(
        all,
        spread.stitched().stream().mapToDouble(SpreadSection::last).toArray(),
        last(spread.buyAndHold()));
  }

  private static double last(Curve curve) {
    return curve.y()[curve.y().length - 1];
  }

  private static void numbers(Element row, double[] returns, double hold) {
    for (double value : returns) {
      row.appendElement("td").text(NumberText.change(value));
    }
    double[] sorted = Arrays.stream(returns).sorted().toArray();
    // The lower of two middle values, as in the verdict, so that it is the return of an agent.
    row.appendElement("td").text(NumberText.change(sorted[(sorted.length - 1) / 2]));
    row.appendElement("td").text(NumberText.change(sorted[0]));
    row.appendElement("td").text(NumberText.change(sorted[sorted.length - 1]));
    row.appendElement("td").text(NumberText.change(hold));
  }
}
