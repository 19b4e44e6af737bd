package io.quantail.app;

import io.quantail.audit.Finding;
import io.quantail.audit.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The findings of an audit as text: failures with their explanations first, then all by topic.
 *
 * @param result of the audit
 */
record AuditTable(AuditResult result) {
  private static final int WIDTH = 100;

  String text() {
    StringBuilder text = new StringBuilder();
    result.checks().stream().filter(Finding::failed).forEach(finding -> explain(text, finding));
    TextTable table = new TextTable().left("").right("").left("").left("");
    String topic = "";
    for (Finding finding : result.checks()) {
      if (!finding.topic().equals(topic)) {
        topic = finding.topic();
        table.space().row(topic.toUpperCase(Locale.ROOT), "measured", "bound", "");
      }
      table.row(
          finding.check(),
          finding.measured(),
          finding.bound(),
          finding.verdict().name().toLowerCase(Locale.ROOT));
    }
    text.append(table);
    notes(text);
    text.append(String.format("%n%s: %s%n", result.name(), result.summary()));
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
        result.checks().stream().filter(finding -> finding.verdict() == Verdict.INFO).toList();
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
}
