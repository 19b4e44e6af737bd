package io.quantail.app.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.market.SeenBars;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.ledger.EvidenceFile;
import io.quantail.market.ledger.LedgerEntry;
import io.quantail.market.ledger.LedgerTrials;
import io.quantail.market.ledger.StudyEvidence;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.io.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Numbers of the ledger as text and in JSON. */
public final class LedgerText {
  private static final int DAY = "2024-01-31".length();
  private static final String NAME = "evidence";
  private static final int OTHER_COLUMNS = 62; // all but the first, at their widest
  private static final int SHORTEST_RUN = 18;
  private static final int SEED_WIDTH = 6;

  private LedgerText() {}

  /**
   * Lines of a summary on what the Sharpe ratio of a run proves: with the number of trials in the
   * ledger, or as the only trial if its bars are not counted. Empty without a market.
   */
  public static String of(Path run, EvaluationResult result) {
    if (!(result instanceof MarketEvaluationResult market)) {
      return "";
    }
    SeenBars.Overlap seen = market.seen();
    if (seen != null) {
      return format("%n")
          + WrappedText.entry(
              NAME,
              "none: the agent, or the run it started with, learnt from %s; in sample, not in the ledger"
                  .formatted(seen.text()));
    }
    return format("%n")
        + evidence(run, result)
            .map(LedgerText::lines)
            .orElseGet(
                () -> lines("as the only trial on these bars", market.verdict().account().luck()));
  }

  /** Adds {@code ledger} to the result of a run; nothing if its bars are not counted. */
  public static ObjectNode json(ObjectNode tree, Path run, EvaluationResult result) {
    evidence(run, result).ifPresent(numbers -> tree.set("ledger", Json.tree(numbers)));
    return tree;
  }

  private static Optional<TrialEvidence> evidence(Path run, EvaluationResult result) {
    return result instanceof MarketEvaluationResult market
        ? EvidenceFile.read(run, market.fileSuffix()).map(EvidenceFile::ledger)
        : Optional.empty();
  }

  /** Adds {@code overfitting} to the result of a study, which does not depend on the ledger. */
  public static ObjectNode overfitting(ObjectNode tree, @Nullable StudyEvidence study) {
    if (study != null && study.overfitting() != null) {
      tree.set("overfitting", Json.tree(study.overfitting()).put("agents", study.agents()));
    }
    return tree;
  }

  /** Adds {@code ledger} to the result of a study: the numbers of its best agent. */
  public static ObjectNode ledger(ObjectNode tree, @Nullable StudyEvidence study) {
    if (study != null) {
      tree.set("ledger", Json.tree(study.ledger()).put("best", study.best()));
    }
    return tree;
  }

  /**
   * Adds {@code ledger} with the number of evaluations alone.
   *
   * @param trials null if it is not known
   */
  public static ObjectNode ledger(ObjectNode tree, @Nullable Integer trials) {
    tree.putObject("ledger").put("trials", trials);
    return tree;
  }

  /**
   * The line of a summary on the number of evaluations alone.
   *
   * @param trials null if it is not known
   */
  public static String of(@Nullable Integer trials) {
    return format("%n") + WrappedText.entry(NAME, TrialEvidence.count(trials));
  }

  /** Lines of a summary on a study; empty without evidence. */
  public static String of(@Nullable StudyEvidence study) {
    if (study == null) {
      return "";
    }
    String others =
        study.others() == 0 ? "" : "; left out, other bars: " + study.others() + " agents";
    return format("%n")
        + WrappedText.entry(
            "best Sharpe",
            format(
                "%s, of %d agents on the same %,d bars%s",
                study.best(), study.agents(), study.bars(), others))
        + lines(study.ledger())
        + overfitting(study.overfitting());
  }

  /** Why the probability of overfitting is missing, or what it was computed from. */
  public static String overfittingNote(StudyEvidence study) {
    StudyEvidence.Overfitting overfitting = study.overfitting();
    if (overfitting == null) {
      return WrappedText.entry(
          "overfitting",
          format(
              "not defined: it needs 2 agents and 30 bars, has %d and %,d",
              study.agents(), study.bars()));
    }
    return WrappedText.entry(
        "",
        format(
            "loses out of sample in %.0f %%, mean logit %.2f%s",
            100 * overfitting.numbers().lossProbability(),
            overfitting.numbers().meanLogit(),
            overfitting.numbers().droppedRows() == 0
                ? ""
                : format("; unused bars: %d", overfitting.numbers().droppedRows())));
  }

  private static String overfitting(StudyEvidence.@Nullable Overfitting overfitting) {
    return overfitting == null
        ? ""
        : WrappedText.entry(
            "overfitting",
            format(
                "probability %.2f over %,d choices of half of %d blocks",
                overfitting.numbers().probability(),
                overfitting.numbers().combinations(),
                overfitting.blocks()));
  }

  private static String lines(TrialEvidence evidence) {
    String effective =
        evidence.effectiveTrials() == null || Objects.equals(evidence.trials(), 1)
            ? ""
            : format("; N_eff %.1f", evidence.effectiveTrials());
    return lines(evidence.count() + effective, evidence);
  }

  private static String lines(String count, TrialEvidence evidence) {
    return WrappedText.entry(NAME, count) + WrappedText.entry("", ratio(evidence));
  }

  private static String ratio(TrialEvidence evidence) {
    if (evidence.undefined() != null) {
      return "the Sharpe ratio proves nothing: " + evidence.undefined();
    }
    String counted =
        evidence.pMax() == null
            ? ", DSR and p_max not known"
            : format(
                ", DSR %.3f, p_max %s%.3f",
                Objects.requireNonNull(evidence.deflatedSharpe()),
                evidence.pMaxIsLowerBound() && evidence.pMax() < 0.9995 ? "at least " : "",
                evidence.pMax());
    String needed =
        evidence.minimumTrackRecord() == null
            ? "; the ratio is not above 0"
            : format(
                "; 95 %% needs %,.0f bars, has %,d",
                Math.ceil(evidence.minimumTrackRecord()), evidence.bars());
    return format("PSR %.3f", Objects.requireNonNull(evidence.probabilisticSharpe()))
        + counted
        + needed;
  }

  /**
   * Entries of a ledger as a table.
   *
   * @param entries to show, in order
   * @param trials all entries, to count those that share days
   */
  public static String table(List<LedgerEntry> entries, LedgerTrials trials) {
    int runWidth = Math.max(SHORTEST_RUN, Terminal.width() - OTHER_COLUMNS);
    TextTable table =
        new TextTable()
            .left("run")
            .left("when")
            .right("seed")
            .right("Sharpe")
            .left("bars from/to")
            .right("shared");
    for (LedgerEntry entry : entries) {
      boolean counts = entry.kind() == LedgerEntry.Kind.TEST;
      table.row(
          end(run(entry), runWidth),
          entry.moment() == null ? "" : entry.moment().substring(0, DAY),
          end(String.valueOf(entry.seed()), SEED_WIDTH),
          entry.sharpe() == null ? "–" : format("%.4f", entry.sharpe()),
          entry.from().substring(0, DAY) + "/" + entry.to().substring(0, DAY),
          counts ? String.valueOf(trials.count(entry)) : "–");
    }
    return table.toString();
  }

  /** The directory of the run, as the ledger names it; a selection has none. */
  public static String run(LedgerEntry entry) {
    if (entry.series() == null) {
      return entry.kind() == LedgerEntry.Kind.TEST ? "" : "selection";
    }
    Path directory = Path.of(entry.series()).getParent();
    return directory == null ? "." : directory.toString();
  }

  /** The end of a text, which differs where the beginning does not. */
  private static String end(String text, int width) {
    return text.length() <= width ? text : "…" + text.substring(text.length() - width + 1);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
