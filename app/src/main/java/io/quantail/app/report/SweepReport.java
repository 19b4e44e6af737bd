package io.quantail.app.report;

import io.quantail.market.ledger.StudyEvidence;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.study.sweep.SweepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on a sweep: all points of its grid with the scores of their seeds. */
public final class SweepReport {
  private final Page page;
  private final SweepResult sweep;

  private SweepReport(String name, SweepResult sweep) {
    this.page = new Page(name);
    this.sweep = sweep;
  }

  /**
   * The whole page.
   *
   * @param name of the directory
   * @param sweep at least one point
   * @param settings of the runs without the grid; those that are not the default come first
   * @param origin other origins of the numbers, such as fingerprints
   * @param evidence of all agents; null if they are not on a market
   * @param cost what the limit cost; null if it was not measured
   */
  public static String html(
      String name,
      SweepResult sweep,
      List<SettingRow> settings,
      List<SettingRow> origin,
      @Nullable StudyEvidence evidence,
      @Nullable StudyLimitCost cost) {
    SweepReport made = new SweepReport(name, sweep);
    made.header(name);
    if (sweep.points().size() == 1) {
      made.seeds(sweep.points().get(0));
    } else {
      made.points();
    }
    made.trainings();
    if (cost != null) {
      CvarLimitSection.cost(made.page.section("The limit"), "point", cost);
    }
    EvidenceSection.add(made.page, evidence);
    RunSections.settings(made.page.section("Provenance"), origin, settings);
    return made.page.html();
  }

  private void header(String name) {
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail sweep · " + name);
    header.appendElement("h1").text(sweep.verdict());
    String rank =
        sweep.points().size() == 1
            ? ""
            : "A point is ranked by its median, then by its worst seed. " + sweep.doubt();
    header
        .appendElement("p")
        .addClass("under")
        .text("A score is the %s. %s".formatted(sweep.judged(), rank).strip());
  }

  private void seeds(SweepResult.Point point) {
    List<String> names = point.trainings().stream().map(one -> "seed " + one.seed()).toList();
    double[] scores = point.trainings().stream().mapToDouble(SweepResult.Training::score).toArray();
    Chart chart =
        Chart.of(
            Chart.Axis.categories("", names),
            Chart.Axis.value("number", ""),
            List.of(Chart.Series.bars("score", "1", scores)));
    page.chart(
        page.section("Seeds"),
        "Score of each seed",
        "Only the seed differs: the differences between agents show how much training depends on"
            + " chance.",
        Double.isFinite(point.median())
            ? chart.marked(List.of(new Chart.Mark("y", point.median(), "median", "baseline")))
            : chart);
  }

  private void points() {
    Element section = page.section("Points of the grid");
    page.chart(
        section,
        "Score of each point",
        "One dot per seed; the line connects the medians. Points whose seeds overlap cannot"
            + " be distinguished.",
        Chart.of(
            Chart.Axis.categories(
                paths().stream().map(SweepReport::last).collect(Collectors.joining(" · ")),
                sweep.points().stream()
                    .map(one -> String.join(" · ", one.settings().values()))
                    .toList()),
            Chart.Axis.value("number", ""),
            series()));
    table(section);
  }

  private List<String> paths() {
    return List.copyOf(sweep.points().get(0).settings().keySet());
  }

  /** Shortens {@code optimizer.learningRate} to {@code learningRate} for narrow columns. */
  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  private List<Chart.Series> series() {
    List<Chart.Series> series = new ArrayList<>();
    List<SweepResult.Training> seeds = sweep.points().get(0).trainings();
    series.add(Chart.Series.bars("median", "agent", sweep.medians()).shaped("points"));
    for (int i = 0; i < seeds.size() && seeds.size() > 1; i++) {
      String name = "seed " + seeds.get(i).seed();
      series.add(Chart.Series.bars(name, String.valueOf(i + 2), sweep.ofSeed(i)).shaped("dots"));
    }
    return series;
  }

  private void table(Element section) {
    List<String> head = new ArrayList<>(List.of("point"));
    head.addAll(paths());
    head.addAll(List.of("seeds", "median", "worst", "best"));
    if (sweep.limited()) {
      head.add("limit");
    }
    HtmlTable table = new HtmlTable(section, head).sortable();
    for (SweepResult.Point point : sweep.ranked()) {
      boolean best = sweep.bestPoint().filter(point::equals).isPresent();
      Element row = table.row(point.point() + (best ? " (best)" : ""));
      if (best) {
        row.addClass("total");
      }
      point.settings().values().forEach(value -> row.appendElement("td").text(value));
      HtmlTable.cell(
          row,
          String.format(Locale.ROOT, "%d of %d", point.trained(), point.trainings().size()),
          point.trained());
      for (double score : new double[] {point.median(), point.worst(), point.best()}) {
        HtmlTable.cell(row, SweepResult.shown(score), score);
      }
      if (sweep.limited()) {
        row.appendElement("td").text(point.limits());
      }
    }
  }

  private void trainings() {
    Element section = page.section("All agents");
    HtmlTable table =
        new HtmlTable(
                section,
                sweep.limited()
                    ? List.of("agent", "settings", "seed", "score", "steps", "limit", "CVaR [95 %]")
                    : List.of("agent", "settings", "seed", "score", "steps"))
            .secondIsText();
    for (SweepResult.Point point : sweep.points()) {
      for (SweepResult.Training training : point.trainings()) {
        Element row = table.row("");
        if (training.failure() == null) {
          row.child(0)
              .appendElement("a")
              .attr("href", training.run() + "/" + training.report())
              .text(Objects.requireNonNull(training.run()));
        } else {
          row.child(0).text("failed");
        }
        row.appendElement("td")
            .text(training.failure() == null ? point.words() : training.failure());
        row.appendElement("td").text(String.valueOf(training.seed()));
        row.appendElement("td").text(SweepResult.shown(training.score()));
        row.appendElement("td").text(NumberText.count(training.steps()));
        LimitResult limit = training.limit();
        if (limit != null) {
          row.appendElement("td").text(limit.status().id());
          row.appendElement("td").text(CvarLimitSection.cell(limit, limit.judged().estimate()));
        }
      }
    }
  }
}
