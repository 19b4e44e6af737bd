package io.quantail.app;

import io.quantail.audit.Finding;
import io.quantail.audit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The findings of an audit as text: failures first, with what they mean, then everything by topic.
 *
 * @param name of the configuration or run
 */
record AuditTable(String name, List<Finding> findings) {
  private static final int WIDTH = 100;
  private static final String ROW = "  %-34s %22s  %-18s %s%n";

  long failed() {
    return count(Verdict.FAIL);
  }

  private long count(Verdict verdict) {
    return findings.stream().filter(finding -> finding.verdict() == verdict).count();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    findings.stream().filter(Finding::failed).forEach(finding -> explain(text, finding));
    String topic = "";
    for (Finding finding : findings) {
      if (!finding.topic().equals(topic)) {
        topic = finding.topic();
        text.append(
            String.format("%n" + ROW, topic.toUpperCase(Locale.ROOT), "measured", "bound", ""));
      }
      text.append(
          String.format(
              ROW,
              finding.check(),
              finding.measured(),
              finding.bound(),
              finding.verdict().name().toLowerCase(Locale.ROOT)));
    }
    notes(text);
    text.append(String.format("%n%s: %s%n", name, summary()));
    return text.toString();
  }

  private void explain(StringBuilder text, Finding finding) {
    text.append(String.format("FAILED  %s (%s)%n", finding.check(), finding.topic()));
    wrap(text, "compared  " + finding.compares());
    wrap(text, "measured  " + finding.measured() + ", allowed " + finding.bound());
    wrap(text, "means     " + finding.detail());
    wrap(text, "concerns  " + String.join(", ", finding.requirements()));
    wrap(text, "code      " + String.join(", ", finding.exercises()));
    text.append('\n');
  }

  private void notes(StringBuilder text) {
    List<Finding> informed =
        findings.stream().filter(finding -> finding.verdict() == Verdict.INFO).toList();
    for (Finding finding : informed) {
      text.append(String.format("%n%s%n", finding.check()));
      wrap(text, finding.detail());
    }
  }

  private static void wrap(StringBuilder text, String words) {
    List<String> lines = new ArrayList<>(List.of(""));
    for (String word : words.split(" ", -1)) {
      String last = lines.get(lines.size() - 1);
      if (last.length() + word.length() > WIDTH) {
        lines.add("          " + word);
      } else {
        lines.set(lines.size() - 1, last.isEmpty() ? word : last + " " + word);
      }
    }
    lines.forEach(line -> text.append("  ").append(line.stripTrailing()).append('\n'));
  }

  /** One sentence. */
  String summary() {
    return "%d passed, %d failed, %d skipped because the settings do not use them"
        .formatted(count(Verdict.PASS), failed(), count(Verdict.SKIPPED));
  }
}
