package io.quantail.app.report;

import io.quantail.run.health.AlertHistory;
import java.util.List;
import java.util.Locale;

/**
 * An alert of a run in a report.
 *
 * @param severity {@code info}, {@code warning} or {@code error}
 * @param name of the rule or metric
 * @param when updates in which it was active
 * @param text observation, reason and advice; may be empty
 */
public record AlertNotice(String severity, String name, String when, String text) {

  /** All alerts of a run in the order in which they were raised. */
  public static List<AlertNotice> of(AlertHistory history) {
    return history.alerts().stream().map(AlertNotice::of).toList();
  }

  private static AlertNotice of(AlertHistory.Past alert) {
    Long end = alert.endedUpdate();
    return new AlertNotice(
        alert.severity(),
        alert.rule(),
        String.format(
            Locale.ROOT, "%d to %s", alert.update(), end == null ? "the end" : end.toString()),
        "%s %s Try: %s".formatted(alert.seen(), alert.why(), alert.advice()));
  }
}
