package io.quantail.app.console;

import io.quantail.audit.AuditFinding;
import io.quantail.audit.AuditOutcome.Status;
import io.quantail.audit.AuditResult;
import java.util.Locale;

/**
 * Renders the result of an audit as text: failures first, then all checks by topic.
 *
 * @param name of the configuration or run
 */
public record AuditText(String name, AuditResult result) {
  private static final String INDENT = "  ";
  private static final String CONTINUED = "            ";

  public String text() {
    StringBuilder text = new StringBuilder();
    result.with(Status.FAIL).forEach(finding -> explain(text, finding));
    TextTable table = new TextTable().left("").right("").left("").left("");
    String topic = "";
    for (AuditFinding finding : result.checks()) {
      if (!finding.topic().equals(topic)) {
        topic = finding.topic();
        table.space().row(topic.toUpperCase(Locale.ROOT), "measured", "bound", "");
      }
      String status = finding.verdict().name().toLowerCase(Locale.ROOT);
      table.row(finding.check(), finding.measured(), finding.bound(), Style.status(status));
    }
    text.append(table);
    for (AuditFinding finding : result.with(Status.INFO)) {
      text.append('\n').append(WrappedText.of(finding.check()));
      wrap(text, finding.detail());
    }
    text.append('\n').append(WrappedText.of(name + ": " + result.summary()));
    return text.toString();
  }

  private static void explain(StringBuilder text, AuditFinding finding) {
    text.append(
        WrappedText.of(
            "%s (%s)".formatted(finding.check(), finding.topic()),
            Style.RED.of("FAILED") + "  ",
            CONTINUED));
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
