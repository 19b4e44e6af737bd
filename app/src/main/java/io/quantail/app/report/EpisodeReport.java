package io.quantail.app.report;

import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.train.EvaluationSummary;
import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;

/** The report on an agent that was evaluated by whole episodes. */
public final class EpisodeReport {
  private EpisodeReport() {}

  /** The whole page. */
  public static String html(RunFacts run, EpisodeEvaluationResult result) {
    EvaluationSummary numbers = result.numbers();
    Page page = new Page(run.name());
    Element header = page.header();
    header.appendElement("p").addClass("kicker").text("Quantail report · " + run.name());
    header
        .appendElement("h1")
        .text(
            String.format(
                Locale.ROOT,
                "%s: mean return %s ± %s over %d %s episodes",
                run.environment(),
                NumberText.general(numbers.meanReturn()),
                NumberText.general(numbers.stdReturn()),
                numbers.episodes(),
                result.deterministic() ? "deterministic" : "sampled"));
    LimitResult limit = result.limit();
    if (limit != null) {
      CvarLimitSection.tile(header.appendElement("div").addClass("tiles"), limit);
      CvarLimitSection.add(page, limit, run.costSentences());
    }
    Element section = page.section("Evaluation");
    HtmlTable table = new HtmlTable(section, List.of("", "value"));
    table.row("mean return", List.of(NumberText.general(numbers.meanReturn())));
    table.row("standard deviation", List.of(NumberText.general(numbers.stdReturn())));
    table.row("worst episode", List.of(NumberText.general(numbers.minReturn())));
    table.row("best episode", List.of(NumberText.general(numbers.maxReturn())));
    String worst = NumberText.general(100 * numbers.alpha()).replaceFirst("\\.?0+$", "") + " %";
    table.row(
        "mean of the worst " + worst + " of rewards",
        List.of(NumberText.general(numbers.cvarReward())));
    table.row(
        "mean of the worst " + worst + " of episodes",
        List.of(NumberText.general(numbers.cvarReturn())));
    table.row("mean length, steps", List.of(NumberText.general(numbers.meanLength())));
    table.row("episodes", List.of(NumberText.count(numbers.episodes())));
    RunSections.training(page, run, limit == null ? null : limit.limit());
    RunSections.notices(page, run.notices());
    RunSections.provenance(
        page,
        run,
        List.of(new SettingRow("evaluation seed", String.valueOf(result.seed()), false)));
    return page.html();
  }
}
