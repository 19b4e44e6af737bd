package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import io.quantail.market.limits.LimitCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;

/** How often the limits of {@code market.risk} changed the agent's decisions. */
final class LimitSection {
  private LimitSection() {}

  static void add(Element parent, BaselineComparison comparison) {
    Element section = Page.section(parent, "Risk limits at work");
    Map<String, Long> counts = counts(comparison.agent().result().risk());
    int decisions = comparison.agent().result().series().size();
    if (counts.values().stream().allMatch(count -> count == 0)) {
      section
          .appendElement("p")
          .text(
              "None of the limits of market.risk changed any of %s decisions."
                  .formatted(NumberText.count(decisions)));
      return;
    }
    HtmlTable table = new HtmlTable(section, List.of("limit", "decisions changed"));
    counts.forEach((limit, count) -> table.row(limit, List.of(NumberText.count(count))));
    section
        .appendElement("p")
        .addClass("note")
        .text("Of %s decisions.".formatted(NumberText.count(decisions)));
  }

  private static Map<String, Long> counts(LimitCounts risk) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("largest weight", risk.maxWeight());
    counts.put("drawdown stop", risk.drawdownStop());
    counts.put("daily loss stop (times triggered)", risk.dailyLossStops());
    counts.put("cooling down", risk.cooldown());
    counts.put("turnover cap", risk.turnover());
    counts.put("kill file", risk.killFile());
    return counts;
  }
}
