package io.quantail.app.report;

import io.quantail.market.SeenBars;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.run.evaluation.DataPart;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** How often the bars were evaluated, and what the Sharpe ratio proves; depends on the ledger. */
final class EvidenceSection {
  private static final String UNKNOWN = "not known";
  private static final String LOWER_BOUND =
      "Evaluations that this ledger does not know are not counted, so the number is a lower bound.";

  private EvidenceSection() {}

  /**
   * Adds the section of one agent.
   *
   * @param evidence null if the agent learnt from these bars, or if the page is written before the
   *     ledger is asked, as by a task of a study
   */
  static void add(Page page, MarketEvaluationResult market, @Nullable TrialEvidence evidence) {
    Element section = section(page);
    SeenBars.Overlap seen = market.seen();
    if (evidence != null && seen == null) {
      numbers(section, evidence);
      return;
    }
    if (seen != null) {
      section
          .appendElement("p")
          .text(
              "The agent, or the run it started with, learnt from %s. This evaluation is in sample and not in the ledger."
                  .formatted(seen.text()));
      return;
    }
    section
        .appendElement("p")
        .text(
            market.part() == DataPart.TRAIN
                ? "The agent learnt from these bars, so this evaluation is not in the ledger."
                : "This agent is part of a study: the report of the study says how often these bars"
                    + " were evaluated, and so does this page after quantail evaluate.");
    section.appendElement("p").text("As the only trial on these bars:");
    table(section, market.verdict().account().luck());
  }

  /** Adds the section of a study; none without evidence. */
  static void add(Page page, @Nullable StudyEvidence study) {
    if (study == null) {
      return;
    }
    Element section = section(page);
    StudyEvidence.Overfitting overfitting = study.overfitting();
    section
        .appendElement("p")
        .text(
            overfitting == null
                ? "The probability of backtest overfitting is not defined: it needs at least two"
                    + " agents and 30 bars."
                : sentence(overfitting.sentence()));
    section
        .appendElement("p")
        .text(
            "The best of %s agents by Sharpe ratio is %s:"
                .formatted(NumberText.count(study.agents()), study.best()));
    numbers(section, study.ledger());
  }

  /**
   * Adds the section of a study of which the number of evaluations alone is known.
   *
   * @param trials null if it is not known
   */
  static void addCount(Page page, @Nullable Integer trials) {
    Element section = section(page);
    section.appendElement("p").text(sentence(TrialEvidence.count(trials)));
    section.appendElement("p").addClass("note").text(LOWER_BOUND);
  }

  private static Element section(Page page) {
    return page.section("Evidence").attr("id", "evidence");
  }

  private static void numbers(Element section, TrialEvidence evidence) {
    section.appendElement("p").text(sentence(evidence.count()));
    table(section, evidence);
    section
        .appendElement("p")
        .addClass("note")
        .text(
            LOWER_BOUND
                + " In N_eff agents that resemble each other count for less than one each; DSR"
                + " uses it, p_max the plain number. A p_max below 0.05 is hard to explain by luck.");
  }

  private static void table(Element section, TrialEvidence evidence) {
    HtmlTable table = new HtmlTable(section, List.of("measure", "value"));
    row(table, "different trials (N_eff)", evidence.effectiveTrials(), "series not at hand");
    if (evidence.undefined() == null) {
      row(table, "Sharpe ratio per bar", evidence.sharpe(), UNKNOWN);
      row(table, "probabilistic Sharpe ratio (PSR)", evidence.probabilisticSharpe(), UNKNOWN);
      row(table, "deflated Sharpe ratio (DSR)", evidence.deflatedSharpe(), UNKNOWN);
      row(
          table,
          "p-value of the best" + (evidence.pMaxIsLowerBound() ? ", at least" : "") + " (p_max)",
          evidence.pMax(),
          UNKNOWN);
      table.row("minimum track record", List.of(trackRecord(evidence)));
    } else {
      table.row("Sharpe ratio", List.of("proves nothing: " + evidence.undefined()));
    }
  }

  private static String trackRecord(TrialEvidence evidence) {
    Double needed = evidence.minimumTrackRecord();
    return needed == null
        ? "none: the ratio is not above 0"
        : "%s bars for 95 %%; these are %s"
            .formatted(NumberText.whole(Math.ceil(needed)), NumberText.count(evidence.bars()));
  }

  private static void row(HtmlTable table, String name, @Nullable Double value, String missing) {
    table.row(name, List.of(value == null ? missing : NumberText.general(value)));
  }

  private static String sentence(String words) {
    return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
  }
}
