package io.quantail.market.data;

import io.quantail.market.data.DataProblem.Kind;
import io.quantail.market.data.DataProblem.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Sums up problems for a reader: first what is wrong with files, lines and cells, where more than
 * five values that break the same rule are one line; then the gaps of each file in one line; then
 * warnings, where more than three of a kind are one line.
 */
public final class ProblemSummary {
  private static final int FEW_ERRORS = 5;
  private static final int FEW_WARNINGS = 3;

  /**
   * One line of a summary.
   *
   * @param severity whether the file is refused
   * @param text the problem, or what several have in common
   */
  public record Line(Severity severity, String text) {}

  private ProblemSummary() {}

  /**
   * Sums up problems.
   *
   * @param problems problems in the order of files and lines
   * @return the lines, most important first
   */
  public static List<Line> lines(List<DataProblem> problems) {
    List<Line> lines = new ArrayList<>();
    Map<String, List<DataProblem>> faults = new LinkedHashMap<>();
    Map<String, List<DataProblem>> gaps = new LinkedHashMap<>();
    Map<String, List<DataProblem>> warnings = new LinkedHashMap<>();
    for (DataProblem problem : problems) {
      if (problem.severity() == Severity.WARNING) {
        String group = problem.file() + "\n" + problem.kind();
        warnings.computeIfAbsent(group, file -> new ArrayList<>()).add(problem);
      } else if (problem.kind().isGap()) {
        gaps.computeIfAbsent(problem.file(), file -> new ArrayList<>()).add(problem);
      } else {
        faults.computeIfAbsent(sameRule(problem), rule -> new ArrayList<>()).add(problem);
      }
    }
    Map<String, List<DataProblem>> many = new LinkedHashMap<>(faults);
    many.values().removeIf(group -> group.size() <= FEW_ERRORS);
    for (DataProblem problem : problems) {
      boolean fault = problem.severity() == Severity.ERROR && !problem.kind().isGap();
      if (fault && !many.containsKey(sameRule(problem))) {
        lines.add(new Line(Severity.ERROR, problem.toString()));
      }
    }
    many.values().forEach(group -> lines.add(new Line(Severity.ERROR, faults(group))));
    gaps.values().forEach(group -> lines.add(new Line(Severity.ERROR, gaps(group))));
    warnings.values().forEach(group -> addWarnings(group, lines));
    return lines;
  }

  /** File and rule without the numbers of a row. */
  private static String sameRule(DataProblem problem) {
    return problem.file() + "\n" + problem.rule().replaceAll("[0-9]+", "0");
  }

  private static String faults(List<DataProblem> group) {
    return "%s; and %s more such values in this file"
        .formatted(group.get(0), number(group.size() - 1));
  }

  private static String gaps(List<DataProblem> gaps) {
    if (gaps.size() == 1) {
      return gaps.get(0).toString();
    }
    long nights = count(gaps, Kind.NIGHT);
    long days = count(gaps, Kind.WEEKEND) + count(gaps, Kind.HOLIDAY);
    long others = count(gaps, Kind.GAP);
    List<String> parts = new ArrayList<>();
    if (nights > 0) {
      parts.add(others > 0 ? number(nights) + " nights" : "nights");
    }
    if (days > 0) {
      parts.add((others > 0 ? number(days) + " " : "") + "weekends and holidays");
    }
    String what =
        others == 0
            ? ", all " + String.join(", ", parts)
            : unexplained(gaps, others) + (parts.isEmpty() ? "" : ", " + String.join(", ", parts));
    return "%s: %s gaps%s: %s market.data.gaps: allow to the configuration, or use --allow-gaps"
        .formatted(
            gaps.get(0).file(),
            number(gaps.size()),
            what,
            others == 0 ? "add" : "add the missing bars, or add");
  }

  private static String unexplained(List<DataProblem> gaps, long count) {
    long first = gaps.stream().filter(gap -> gap.kind() == Kind.GAP).findFirst().get().line();
    return count == gaps.size()
        ? ", none a weekend, holiday or night, the first in line " + first
        : String.format(
            Locale.ROOT, ", %s unexplained (the first in line %d)", number(count), first);
  }

  private static long count(List<DataProblem> problems, Kind kind) {
    return problems.stream().filter(problem -> problem.kind() == kind).count();
  }

  private static void addWarnings(List<DataProblem> group, List<Line> lines) {
    DataProblem first = group.get(0);
    if (group.size() <= FEW_WARNINGS) {
      group.forEach(problem -> lines.add(new Line(Severity.WARNING, problem.toString())));
      return;
    }
    String what =
        switch (first.kind()) {
          case NO_TRADES -> "bars without trades (volume 0)";
          case LARGE_MOVE -> "moves of more than 12 robust standard deviations";
          case REPEATED -> "times bars repeat the bar before";
          default -> "warnings";
        };
    String text =
        String.format(
            Locale.ROOT,
            "%s: %s %s, the first in line %d",
            first.file(),
            number(group.size()),
            what,
            first.line());
    lines.add(new Line(Severity.WARNING, text));
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
