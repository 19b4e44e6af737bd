package io.quantail.app.report;

import java.util.List;
import java.util.Locale;
import org.jsoup.nodes.Element;

/** The report on an agent that was judged by whole episodes. */
public final class EpisodeReport {
  private EpisodeReport() {}

  /**
   * @param episodes how many were played
   * @param deterministic whether the most likely actions were taken
   * @param meanReturn mean of their returns
   * @param stdReturn population standard deviation of their returns
   * @param minReturn lowest of their returns
   * @param maxReturn highest of their returns
   * @param meanLength mean of their steps
   * @param seed of the episodes
   */
  public record Facts(
      int episodes,
      boolean deterministic,
      double meanReturn,
      double stdReturn,
      double minReturn,
      double maxReturn,
      double meanLength,
      long seed) {}

  /** The whole page. */
  public static String html(RunFacts run, Facts facts) {
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
                Numbers.general(facts.meanReturn()),
                Numbers.general(facts.stdReturn()),
                facts.episodes(),
                facts.deterministic() ? "deterministic" : "sampled"));
    Element section = page.section("Evaluation");
    Table table = new Table(section, List.of("", "value"));
    table.row("mean return", List.of(Numbers.general(facts.meanReturn())));
    table.row("standard deviation", List.of(Numbers.general(facts.stdReturn())));
    table.row("worst episode", List.of(Numbers.general(facts.minReturn())));
    table.row("best episode", List.of(Numbers.general(facts.maxReturn())));
    table.row("mean length, steps", List.of(Numbers.general(facts.meanLength())));
    table.row("episodes", List.of(Numbers.count(facts.episodes())));
    RunSections.training(page, run, null);
    RunSections.notices(page, run.notices());
    RunSections.provenance(
        page, run, List.of(new Setting("evaluation seed", String.valueOf(facts.seed()), false)));
    return page.html();
  }
}
