package io.quantail.app.report;

import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.PopulationResult;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Drawing of a population's lineage: one column per generation, one row per member, a line from
 * each member to its parent. SVG without scripts, so that it can be printed.
 */
final class LineageTree {
  private static final int COLUMN = 84;
  private static final int ROW = 30;
  private static final int LEFT = 92;
  private static final int TOP = 34;
  private static final int RADIUS = 9;
  private static final int WEAKEST = 12;

  private final PopulationResult report;
  private final Set<JournalEntry> line = new HashSet<>();

  LineageTree(PopulationResult report) {
    this.report = report;
    for (JournalEntry entry = report.best(); entry != null; entry = parent(entry)) {
      line.add(entry);
    }
  }

  /** The parent of an entry; null in the first generation. */
  private @Nullable JournalEntry parent(JournalEntry entry) {
    return entry.source() < 0
        ? null
        : report.generations().get(entry.generation() - 1).members().get(entry.source());
  }

  void add(Element parent) {
    int members = report.settings().size();
    int width = LEFT + report.generations().size() * COLUMN;
    int height = TOP + members * ROW;
    Element drawing =
        parent
            .appendElement("div")
            .addClass("scroll")
            .appendElement("svg")
            .addClass("lineage")
            .attr("width", String.valueOf(width))
            .attr("height", String.valueOf(height))
            .attr("viewBox", String.format(Locale.ROOT, "0 0 %d %d", width, height))
            .attr("role", "img")
            .attr("aria-label", "Lineage tree; the same is in the table of copies below.");
    for (int member = 0; member < members; member++) {
      text(drawing, 0, y(member) + 5, "start", "member " + member);
    }
    for (PopulationResult.Generation generation : report.generations()) {
      text(
          drawing,
          x(generation.generation()),
          14,
          "middle",
          String.valueOf(generation.generation()));
      generation.members().forEach(entry -> edge(drawing, entry));
    }
    for (PopulationResult.Generation generation : report.generations()) {
      generation.members().forEach(entry -> node(drawing, generation, entry));
    }
  }

  private static int x(int generation) {
    return LEFT + COLUMN / 4 + generation * COLUMN;
  }

  private static int y(int member) {
    return TOP + ROW / 2 + member * ROW;
  }

  private static void text(Element drawing, int x, int y, String anchor, String words) {
    drawing
        .appendElement("text")
        .attr("x", String.valueOf(x))
        .attr("y", String.valueOf(y))
        .attr("text-anchor", anchor)
        .text(words);
  }

  private void edge(Element drawing, JournalEntry entry) {
    JournalEntry parent = parent(entry);
    if (parent == null) {
      return;
    }
    int from = x(parent.generation());
    int to = x(entry.generation());
    int bend = (from + to) / 2;
    Element path =
        drawing
            .appendElement("path")
            .attr(
                "d",
                String.format(
                    Locale.ROOT,
                    "M%d %d C%d %d %d %d %d %d",
                    from,
                    y(parent.member()),
                    bend,
                    y(parent.member()),
                    bend,
                    y(entry.member()),
                    to,
                    y(entry.member())));
    path.addClass(entry.source() == entry.member() ? "kept" : "copied");
    if (line.contains(entry)) {
      path.addClass("best");
    }
  }

  private void node(Element drawing, PopulationResult.Generation generation, JournalEntry entry) {
    Element circle =
        drawing
            .appendElement("circle")
            .attr("cx", String.valueOf(x(entry.generation())))
            .attr("cy", String.valueOf(y(entry.member())))
            .attr("r", String.valueOf(RADIUS));
    if (entry.score() == null) {
      circle.addClass("failed");
    } else {
      circle.attr(
          "style",
          String.format(Locale.ROOT, "--strength: %d%%", strength(generation, entry.score())));
    }
    if (entry.equals(report.best())) {
      circle.addClass("best");
    }
    circle.appendElement("title").text(told(entry));
  }

  /** Colour strength within a generation: full for the best, faint for the worst. */
  private static int strength(PopulationResult.Generation generation, double score) {
    double lowest = generation.scores().min();
    double span = generation.scores().max() - lowest;
    double share = span == 0 ? 1 : (score - lowest) / span;
    return (int) Math.round(WEAKEST + share * (100 - WEAKEST));
  }

  private static String told(JournalEntry entry) {
    String source =
        entry.source() < 0 || entry.source() == entry.member()
            ? ""
            : String.format(Locale.ROOT, ", copied member %d", entry.source());
    String outcome =
        entry.score() == null ? "failed" : "score " + NumberText.general(entry.score());
    return String.format(
        Locale.ROOT,
        "generation %d, member %d%s: %s; %s",
        entry.generation(),
        entry.member(),
        source,
        outcome,
        PopulationReport.values(entry.hyperparameters()));
  }
}
