package io.quantail.app.console;

import io.quantail.study.population.JournalEntry;
import io.quantail.study.population.PopulationResult;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The result of a population as text. */
public final class PopulationText {
  private PopulationText() {}

  /** The result of one member in one generation. */
  public static String line(JournalEntry entry) {
    String from =
        entry.source() < 0 || entry.source() == entry.member() ? "" : " from " + entry.source();
    String outcome =
        entry.score() == null
            ? "failed: " + entry.failure()
            : "score " + TrainingSummary.shown(entry.score());
    return format(
        "generation %d, member %d%s: %s  %s",
        entry.generation(), entry.member(), from, outcome, values(entry.hyperparameters()));
  }

  /**
   * All generations, the members of the last one, and the best member.
   *
   * @param best directory of the best member's run
   */
  public static String of(PopulationResult report, Path best) {
    TextTable generations =
        new TextTable()
            .left("generation")
            .right("best")
            .right("mean")
            .right("worst")
            .right("copied");
    for (PopulationResult.Generation generation : report.generations()) {
      generations.row(
          String.valueOf(generation.generation()),
          TrainingSummary.shown(generation.scores().max()),
          TrainingSummary.shown(generation.scores().mean()),
          TrainingSummary.shown(generation.scores().min()),
          String.valueOf(generation.exploited()));
    }
    TextTable members = new TextTable().left("member").right("score").left("hyper-parameters");
    for (JournalEntry member : report.members()) {
      members.row(
          String.valueOf(member.member()),
          member.score() == null ? "failed" : TrainingSummary.shown(member.score()),
          values(member.hyperparameters()));
    }
    return format("%n")
        + generations
        + format("%n")
        + members
        + format("%n")
        + WrappedText.entry(
            "best",
            format(
                "member %d after generation %d: %s  %s",
                Objects.requireNonNull(report.best()).member(),
                report.best().generation(),
                TrainingSummary.shown(Objects.requireNonNull(report.best().score())),
                values(report.best().hyperparameters())))
        + WrappedText.command("look closer", "quantail evaluate " + best);
  }

  private static String values(Map<String, String> hyperparameters) {
    return hyperparameters.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + shortened(entry.getValue()))
        .collect(Collectors.joining(" "));
  }

  /** Shortens numbers for the console; the files have all digits. */
  private static String shortened(String value) {
    try {
      return value.length() > 8 ? format("%.3g", Double.parseDouble(value)) : value;
    } catch (NumberFormatException text) {
      return value;
    }
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
