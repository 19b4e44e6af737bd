package io.quantail.app.report;

import io.quantail.run.evaluation.ValidationPass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Sections at the end of every report: training, alerts, settings and provenance. */
final class RunSections {
  private static final String RETURNS = "rollout/ep_rew_mean";

  private RunSections() {}

  /**
   * Adds the metrics of training.
   *
   * @param limit on the CVaR; null if there is none
   */
  static void training(Page page, RunFacts run, @Nullable Double limit) {
    Element section = page.section("Training");
    section
        .appendElement("p")
        .text(
            String.format(
                Locale.ROOT,
                "%s, seed %d: %s environment steps, %s updates.%s%s",
                run.environment(),
                run.seed(),
                NumberText.count(run.steps()),
                NumberText.count(run.updates()),
                run.agent().earlyEnd().map(end -> " Training " + end + ".").orElse(""),
                choice(run)));
    Element grid = section.appendElement("div").addClass("pair");
    for (Curve curve : run.curves()) {
      boolean hidden = limit == null && curve.name().contains("cvar");
      if (!hidden && !isBesideReturns(curve, run)) {
        page.chart(
            grid,
            RunFacts.DRAWN.getOrDefault(curve.name(), curve.name()),
            "",
            chart(curve, run, limit));
      }
    }
  }

  /** A sentence on how the agent was chosen; empty if it is that of the last update. */
  static String choice(RunFacts run) {
    return run.agent()
        .choice()
        .map(
            choice ->
                " The result is that of the %s: it was chosen on the validation bars."
                    .formatted(choice))
        .orElse("");
  }

  private static Chart chart(Curve curve, RunFacts run, @Nullable Double limit) {
    List<Chart.Series> lines = new ArrayList<>();
    run.curves().stream()
        .filter(other -> curve.name().equals(RETURNS) && isBesideReturns(other, run))
        .forEach(other -> lines.add(line(other, "validation, one pass", "2")));
    lines.add(
        0, line(curve, lines.isEmpty() ? curve.name() : "training, mean of episodes", "agent"));
    Chart chart =
        Chart.of(
            Chart.Axis.value("count", "environment steps"), Chart.Axis.value("number", ""), lines);
    boolean limited = limit != null && curve.name().equals("train/cvar_empirical");
    return limited
        ? chart.marked(
            List.of(new Chart.Mark("y", Objects.requireNonNull(limit), "limit", "limit")))
        : chart;
  }

  /** Whether a curve is drawn in the chart of the returns of training. */
  private static boolean isBesideReturns(Curve curve, RunFacts run) {
    return curve.name().equals(ValidationPass.SCORE)
        && run.curves().stream().anyMatch(other -> other.name().equals(RETURNS));
  }

  private static Chart.Series line(Curve curve, String name, String tone) {
    SeriesThinning thinning = SeriesThinning.of(curve.y().length);
    return Chart.Series.line(name, tone, thinning.positions(curve.x()), thinning.values(curve.y()));
  }

  static void notices(Page page, List<AlertNotice> notices) {
    Element section = page.section("Alerts");
    if (notices.isEmpty()) {
      section.appendElement("p").text("None.");
      return;
    }
    HtmlTable table =
        new HtmlTable(section, List.of("alert", "severity", "updates", "meaning")).texts();
    for (AlertNotice notice : notices) {
      Element row = table.row(notice.name());
      row.appendElement("td")
          .appendElement("span")
          .addClass("severity")
          .attr("data-severity", notice.severity())
          .text(notice.severity());
      row.appendElement("td").text(notice.when());
      row.appendElement("td").text(notice.text());
    }
  }

  /**
   * Adds seed, data, versions and settings.
   *
   * @param data other origins of the numbers, such as fingerprints
   */
  static void provenance(Page page, RunFacts run, List<SettingRow> data) {
    List<SettingRow> origin = new ArrayList<>();
    origin.add(new SettingRow("seed", String.valueOf(run.seed()), false));
    origin.addAll(data);
    run.versions().forEach((name, version) -> origin.add(new SettingRow(name, version, false)));
    settings(page.section("Provenance"), origin, run.settings());
  }

  static void settings(Element section, List<SettingRow> origin, List<SettingRow> settings) {
    table(section, "origin", origin);
    table(
        section,
        "setting that is not the default",
        settings.stream().filter(SettingRow::changed).toList());
    List<SettingRow> rest = settings.stream().filter(setting -> !setting.changed()).toList();
    Element details = section.appendElement("details");
    details
        .appendElement("summary")
        .text(String.format(Locale.ROOT, "%d settings at their defaults", rest.size()));
    table(details, "setting", rest);
  }

  private static void table(Element parent, String head, List<SettingRow> settings) {
    if (settings.isEmpty()) {
      return;
    }
    HtmlTable table = new HtmlTable(parent, List.of(head, "value")).texts();
    settings.forEach(setting -> table.row(setting.path(), List.of(setting.value())));
  }
}
