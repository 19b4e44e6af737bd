package io.quantail.app.console;

import io.quantail.audit.AuditFinding;
import io.quantail.audit.AuditOutcome.Status;
import io.quantail.audit.AuditResult;
import java.util.Locale;

/**
 * Renders the result of an audit as text of 80 columns: failures first, then all checks by topic.
 *
 * @param name of the configuration or run
 */
public record AuditText(String name, AuditResult result) {
  private static final String INDENT = "  ";
  private static final String CONTINUED = "            ";
  private static final String ROW = INDENT + "%-31s %22s  %-14s %s";

  public String text() {
    StringBuilder text = new StringBuilder();
    result.with(Status.FAIL).forEach(finding -> explain(text, finding));
    String topic = "";
    for (AuditFinding finding : result.checks()) {
      if (!finding.topic().equals(topic)) {
        topic = finding.topic();
        text.append('\n');
        row(text, topic.toUpperCase(Locale.ROOT), "measured", "bound", "");
      }
      String status = finding.verdict().name().toLowerCase(Locale.ROOT);
      row(text, finding.check(), finding.measured(), finding.bound(), status);
    }
    for (AuditFinding finding : result.with(Status.INFO)) {
      text.append(String.format("%n%s%n", finding.check()));
      wrap(text, finding.detail());
    }
    text.append(String.format("%n%s: %s%n", name, result.summary()));
    return text.toString();
  }

  private static void row(StringBuilder text, String... cells) {
    text.append(String.format(ROW, (Object[]) cells).stripTrailing()).append('\n');
  }

  private static void explain(StringBuilder text, AuditFinding finding) {
    text.append(String.format("FAILED  %s (%s)%n", finding.check(), finding.topic()));
    wrap(text, "compared  " + finding.compares());
    wrap(text, "measured  " + finding.measured() + ", allowed " + finding.bound());
    wrap(text, "means     " + finding.detail());
    wrap(text, "concerns  " + String.join(", ", finding.requirements()));
    wrap(text, "code      " + String.join(", ", finding.exercises()));
    text.append('\n');
  }

  private static void wrap(StringBuilder text, String words) {
    text.append(WrappedText.of(words, INDENT, CONTINUED));
  }
}
