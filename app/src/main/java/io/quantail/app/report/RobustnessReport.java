package io.quantail.app.report;

import io.quantail.config.RobustConfig;
import io.quantail.train.RobustnessEvaluator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jsoup.nodes.Element;

/** The report on an agent under perturbed observations: return against strength. */
public final class RobustnessReport {
  private static final String UNDISTURBED = "none";

  private RobustnessReport() {}

  /**
   * The measurements of a report.
   *
   * @param name of the run directory
   * @param environment name of the run's environment
   * @param norm in which perturbations are measured
   * @param seed of the episodes
   * @param rows at least one measurement
   */
  public record Facts(
      String name,
      String environment,
      RobustConfig.AttackNorm norm,
      long seed,
      List<RobustnessEvaluator.Row> rows) {
    private Optional<RobustnessEvaluator.Row> clean() {
      return rows.stream().filter(row -> row.attack().equals(UNDISTURBED)).findFirst();
    }

    private List<RobustnessEvaluator.Row> disturbed() {
      return rows.stream().filter(row -> !row.attack().equals(UNDISTURBED)).toList();
    }
  }

  /** The whole page. */
  public static String html(Facts facts) {
    Page page = new Page(facts.name());
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail robustness · " + facts.name());
    header.appendElement("h1").text(verdict(facts));
    header
        .appendElement("p")
        .addClass("under")
        .text(
            "Every observation was perturbed by at most ε (%s norm), in units of the network's"
                    .formatted(facts.norm().name().toLowerCase(Locale.ROOT))
                + String.format(
                    Locale.ROOT,
                    " inputs; rewards are those of the true state. The same %s each time, seed %d.",
                    episodes(facts),
                    facts.seed()));
    if (!facts.disturbed().isEmpty()) {
      charts(page, facts);
    }
    table(page.section("Numbers"), facts.rows());
    return page.html();
  }

  private static String episodes(Facts facts) {
    int count = facts.rows().get(0).evaluation().episodes();
    return count == 1 ? "episode" : NumberText.count(count) + " episodes";
  }

  private static String verdict(Facts facts) {
    String clean =
        facts
            .clean()
            .map(row -> "mean return %s unperturbed".formatted(shown(row)))
            .orElse("unperturbed return not measured");
    String worst =
        facts.disturbed().stream()
            .min(Comparator.comparingDouble(row -> row.evaluation().meanReturn()))
            .map(
                row ->
                    ", lowest %s under %s, ε %s"
                        .formatted(shown(row), row.attack(), plain(row.epsilon())))
            .orElse("");
    return facts.environment() + ": " + clean + worst;
  }

  private static void charts(Page page, Facts facts) {
    int episodes = facts.rows().get(0).evaluation().episodes();
    Element section = page.section("Return against strength");
    page.chart(
        section,
        "Mean return",
        "Each line is one attack. Noise is random; the other attacks use the network to search"
            + " for the observation that changes the policy most and approximate the worst case.",
        chart(facts, row -> row.evaluation().meanReturn()));
    if (episodes > 1) {
      page.chart(
          section,
          "Worst episode",
          "The lowest return among the episodes of each measurement.",
          chart(facts, row -> row.evaluation().minReturn()));
    }
  }

  private static Chart chart(Facts facts, ToDoubleFunction<RobustnessEvaluator.Row> value) {
    List<Chart.Series> series = new ArrayList<>();
    for (String attack :
        facts.disturbed().stream().map(RobustnessEvaluator.Row::attack).distinct().toList()) {
      List<RobustnessEvaluator.Row> line = new ArrayList<>();
      facts.clean().ifPresent(line::add);
      facts.disturbed().stream()
          .filter(row -> row.attack().equals(attack))
          .sorted(Comparator.comparingDouble(RobustnessEvaluator.Row::epsilon))
          .forEach(line::add);
      series.add(
          Chart.Series.line(
                  attack,
                  String.valueOf(series.size() + 1),
                  line.stream().mapToDouble(RobustnessEvaluator.Row::epsilon).toArray(),
                  line.stream().mapToDouble(value).toArray())
              .shaped("points"));
    }
    Chart chart =
        Chart.of(
            Chart.Axis.value("number", "largest perturbation ε"),
            Chart.Axis.value("number", ""),
            series);
    return facts
        .clean()
        .map(
            row ->
                chart.marked(
                    List.of(new Chart.Mark("y", value.applyAsDouble(row), "clean", "flat"))))
        .orElse(chart);
  }

  private static void table(Element section, List<RobustnessEvaluator.Row> rows) {
    HtmlTable table =
        new HtmlTable(
                section,
                List.of("attack", "ε", "mean return", "±", "worst", "best", "mean length, steps"))
            .sortable();
    for (RobustnessEvaluator.Row row : rows) {
      Element line = table.row(row.attack());
      HtmlTable.cell(line, plain(row.epsilon()), row.epsilon());
      HtmlTable.cell(line, shown(row), row.evaluation().meanReturn());
      number(line, row.evaluation().stdReturn());
      number(line, row.evaluation().minReturn());
      number(line, row.evaluation().maxReturn());
      number(line, row.evaluation().meanLength());
    }
  }

  private static void number(Element row, double value) {
    HtmlTable.cell(row, NumberText.general(value), value);
  }

  private static String shown(RobustnessEvaluator.Row row) {
    return NumberText.general(row.evaluation().meanReturn());
  }

  private static String plain(double epsilon) {
    return String.format(Locale.ROOT, "%.4g", epsilon)
        .replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
