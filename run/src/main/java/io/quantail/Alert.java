package io.quantail;

import io.quantail.run.health.AlertEvent;
import io.quantail.run.health.AlertSummary;

/** A health rule that fired during a training: what happened, and what to try. */
public final class Alert {
  private final String rule;
  private final Severity severity;
  private final String message;
  private final String advice;

  private Alert(String rule, Severity severity, String message, String advice) {
    this.rule = rule;
    this.severity = severity;
    this.message = message;
    this.advice = advice;
  }

  /** How much an alert matters, in rising order. */
  public enum Severity {
    /** Worth knowing; healthy trainings may have it. */
    INFO,
    /** A problem is likely or imminent. */
    WARNING,
    /** Part of the training was lost. */
    ERROR
  }

  static Alert of(AlertEvent raised) {
    return new Alert(
        raised.rule(),
        Severity.valueOf(raised.severity().name()),
        "%s: %s".formatted(raised.seen(), raised.why()),
        raised.advice());
  }

  static Alert of(AlertSummary summary) {
    return new Alert(
        summary.rule(),
        Severity.valueOf(summary.severity().name()),
        summary.message(),
        summary.advice());
  }

  /** {@return the name of the rule} */
  public String rule() {
    return rule;
  }

  /** {@return how much it matters} */
  public Severity severity() {
    return severity;
  }

  /** {@return what was seen, and why it matters} */
  public String message() {
    return message;
  }

  /** {@return what to try} */
  public String advice() {
    return advice;
  }

  @Override
  public String toString() {
    return "%s %s: %s".formatted(severity, rule, message);
  }
}
