package io.quantail.app.report;

import io.quantail.market.ledger.StudyEvidence;
import io.quantail.study.population.Hyperparameter;
import io.quantail.study.population.HyperparameterConfig;
import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.PopulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The report on a population: scores, lineage and hyper-parameters over generations. */
public final class PopulationReport {
  private final Page page;
  private final PopulationResult report;

  private PopulationReport(String name, PopulationResult report) {
    this.page = new Page(name);
    this.report = report;
  }

  /**
   * The whole page.
   *
   * @param name of the directory
   * @param environment name of the environment
   * @param report at least one generation, with a best member
   * @param evidence of its members; null if they are not on a market
   */
  public static String html(
      String name, String environment, PopulationResult report, @Nullable StudyEvidence evidence) {
    PopulationReport made = new PopulationReport(name, report);
    made.header(name, environment);
    made.scores();
    made.lineage();
    made.schedules();
    made.members();
    EvidenceSection.add(made.page, evidence);
    return made.page.html();
  }

  private void header(String name, String environment) {
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail population · " + name);
    JournalEntry best = report.best();
    header
        .appendElement("h1")
        .text(
            String.format(
                Locale.ROOT,
                "%s: member %d was best, score %s after generation %d",
                environment,
                Objects.requireNonNull(best).member(),
                NumberText.general(Objects.requireNonNull(best.score())),
                best.generation()));
    header
        .appendElement("p")
        .addClass("under")
        .text(
            String.format(
                Locale.ROOT,
                "%d members, %d generations of %s environment steps, seed %d. A score is the mean return of held-out episodes. Best with %s.",
                report.settings().size(),
                report.generations().size(),
                NumberText.count(report.settings().stepsPerGeneration()),
                report.seed(),
                values(best.hyperparameters())));
  }

  private void scores() {
    Element section = page.section("Scores");
    page.chart(
        section,
        "Score of each member",
        "A member that copies another continues from its snapshot with perturbed hyper-parameters.",
        Chart.of(generations(), Chart.Axis.value("number", ""), lines(JournalEntry::comparable)));
    HtmlTable table =
        new HtmlTable(
            section, List.of("generation", "best", "mean", "worst", "±", "ready", "copied"));
    for (PopulationResult.Generation one : report.generations()) {
      table.row(
          String.valueOf(one.generation()),
          List.of(
              NumberText.general(one.scores().max()),
              NumberText.general(one.scores().mean()),
              NumberText.general(one.scores().min()),
              NumberText.general(one.scores().std()),
              String.format(Locale.ROOT, "%d of %d", one.scores().ready(), one.scores().members()),
              String.valueOf(one.exploited())));
    }
  }

  private void lineage() {
    Element section = page.section("Lineage");
    section
        .appendElement("p")
        .text(
            "One column per generation. The fuller a circle, the better the member's score in that generation; a dashed circle failed. A line connects a member to its parent; the thick line leads to the best member.");
    new LineageTree(report).add(section);
    if (report.lineage().isEmpty()) {
      section.appendElement("p").addClass("note").text("No member has copied another.");
      return;
    }
    Element details = section.appendElement("details");
    details
        .appendElement("summary")
        .text(String.format(Locale.ROOT, "%d copies", report.lineage().size()));
    HtmlTable table =
        new HtmlTable(details, List.of("generation", "member", "copied", "before", "after"))
            .texts();
    for (PopulationResult.Copy copy : report.lineage()) {
      table.row(
          String.valueOf(copy.generation()),
          List.of(
              String.valueOf(copy.member()),
              String.valueOf(copy.source()),
              values(copy.before()),
              values(copy.after())));
    }
  }

  private void schedules() {
    Element section = page.section("Hyper-parameters over generations");
    Element grid = section.appendElement("div").addClass("pair");
    new TreeMap<>(report.settings().hyperparameters())
        .forEach((path, range) -> page.chart(grid, path, "", schedule(path, range)));
  }

  private Chart schedule(String path, HyperparameterConfig range) {
    if (range.values().isEmpty()) {
      Chart.Axis axis =
          range.scale() == Hyperparameter.Scale.LOG
              ? Chart.Axis.logarithm("number", "")
              : Chart.Axis.value("number", "");
      return Chart.of(
          generations(),
          axis,
          lines(entry -> Double.parseDouble(entry.hyperparameters().get(path))));
    }
    List<String> names = range.values().stream().map(String::valueOf).toList();
    return Chart.of(
        generations(),
        Chart.Axis.categories("", names),
        lines(entry -> names.indexOf(entry.hyperparameters().get(path))));
  }

  private static Chart.Axis generations() {
    return Chart.Axis.value("count", "generation");
  }

  /** One line per member. */
  private List<Chart.Series> lines(ToDoubleFunction<JournalEntry> value) {
    List<Chart.Series> series = new ArrayList<>();
    for (int i = 0; i < report.settings().size(); i++) {
      int member = i;
      double[] values =
          report.generations().stream()
              .mapToDouble(one -> value.applyAsDouble(one.members().get(member)))
              .toArray();
      double[] places =
          report.generations().stream()
              .mapToDouble(PopulationResult.Generation::generation)
              .toArray();
      series.add(
          Chart.Series.line("member " + i, String.valueOf(i + 1), places, values).shaped("points"));
    }
    return series;
  }

  private void members() {
    List<String> paths = report.settings().hyperparameters().keySet().stream().sorted().toList();
    List<String> head = new ArrayList<>(List.of("member", "score"));
    head.addAll(paths);
    HtmlTable table = new HtmlTable(page.section("Members at the end"), head).sortable();
    PopulationResult.Generation last = report.generations().get(report.generations().size() - 1);
    for (JournalEntry entry : last.members()) {
      Element row = table.row(String.valueOf(entry.member()));
      HtmlTable.cell(
          row,
          entry.score() == null ? "failed" : NumberText.general(entry.score()),
          entry.comparable());
      paths.forEach(
          path ->
              row.appendElement("td")
                  .text(shortened(Objects.requireNonNull(entry.hyperparameters().get(path)))));
    }
  }

  static String values(Map<String, String> hyperparameters) {
    return new TreeMap<>(hyperparameters)
        .entrySet().stream()
            .map(one -> one.getKey() + " " + shortened(one.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** Shortens numbers to three digits; population.json has all digits. */
  private static String shortened(String value) {
    try {
      return value.length() > 8
          ? String.format(Locale.ROOT, "%.3g", Double.parseDouble(value))
          : value;
    } catch (NumberFormatException text) {
      return value;
    }
  }
}
