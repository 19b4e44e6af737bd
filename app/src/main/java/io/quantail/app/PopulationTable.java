package io.quantail.app;

import io.quantail.population.Entry;
import io.quantail.population.Report;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A population for a person. */
final class PopulationTable {
  private PopulationTable() {}

  /** What became of a member in one generation. */
  static String line(Entry entry) {
    String from =
        entry.source() < 0 || entry.source() == entry.member() ? "" : " from " + entry.source();
    String outcome =
        entry.score() == null
            ? "failed: " + entry.failure()
            : "score " + Summary.shown(entry.score());
    return format(
        "generation %d, member %d%s: %s  %s",
        entry.generation(), entry.member(), from, outcome, values(entry.hyperparameters()));
  }

  static String of(Report report, PopulationResult result) {
    StringBuilder text = new StringBuilder();
    text.append(
        format("%n%-12s %10s %10s %10s %8s%n", "generation", "best", "mean", "worst", "copied"));
    for (Report.Generation generation : report.generations()) {
      text.append(
          format(
              "%-12d %10s %10s %10s %8d%n",
              generation.generation(),
              Summary.shown(generation.scores().max()),
              Summary.shown(generation.scores().mean()),
              Summary.shown(generation.scores().min()),
              generation.exploited()));
    }
    text.append(format("%n%-8s %10s  %s%n", "member", "score", "hyper-parameters"));
    for (PopulationResult.Member member : result.members()) {
      text.append(
          format(
              "%-8d %10s  %s%n",
              member.member(),
              member.score() == null ? "failed" : Summary.shown(member.score()),
              values(member.hyperparameters())));
    }
    PopulationResult.Best best = result.best();
    text.append(
        format(
            "%n  best        member %d after generation %d: %s  %s%n",
            best.member(),
            best.generation(),
            Summary.shown(best.score()),
            values(best.hyperparameters())));
    text.append(format("  look closer quantail evaluate %s%n", best.run()));
    return text.append(Summary.report(result.report())).toString();
  }

  private static String values(Map<String, String> hyperparameters) {
    return hyperparameters.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + shortened(entry.getValue()))
        .collect(Collectors.joining(" "));
  }

  /** Four digits are enough to read; the files have all. */
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
