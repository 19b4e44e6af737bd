package io.quantail.run.health;

import io.quantail.metrics.MetricRow;
import io.quantail.run.health.AlertEvent.State;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** State of one rule: consecutive matches and the active alert. */
final class RuleMonitor {
  private final HealthRule rule;
  private final MetricHistory history;
  private long run; // consecutive updates in which the condition held
  private long quiet; // consecutive updates in which it did not
  private boolean standing;
  private long count;
  private long firstUpdate;
  private @Nullable MetricRow
      lastRow; // last row that met the condition while the alert was active; so are the next two
  private RuleCondition.@Nullable Reading last;
  private long lastRun;

  RuleMonitor(HealthRule rule) {
    this.rule = rule;
    this.history = new MetricHistory(rule.condition().window());
  }

  HealthRule rule() {
    return rule;
  }

  /** Evaluates the condition on a row, for {@link #judge}; empty if the row has no such metric. */
  Optional<RuleCondition.Reading> read(MetricRow row) {
    return rule.condition().read(row.values(), history);
  }

  /** Counts a reading and returns the event that it causes, if any. */
  Optional<AlertEvent> judge(MetricRow row, RuleCondition.Reading reading, boolean suppressed) {
    if (row.update() <= rule.warmup()) {
      return Optional.empty();
    }
    if (reading.holds() && !suppressed) {
      run++;
      quiet = 0;
      return held(row, reading);
    }
    run = 0;
    quiet++;
    if (standing && quiet >= rule.calm()) {
      standing = false;
      return Optional.of(event(row, State.ENDED, ended()));
    }
    return Optional.empty();
  }

  private Optional<AlertEvent> held(MetricRow row, RuleCondition.Reading reading) {
    boolean raised = !standing && run >= rule.patience();
    standing |= raised;
    if (!standing) {
      return Optional.empty();
    }
    firstUpdate = count == 0 ? row.update() : firstUpdate;
    count++;
    lastRow = row;
    last = reading;
    lastRun = run;
    return raised ? Optional.of(event(row, State.RAISED, seen())) : Optional.empty();
  }

  /** Text of the last match; made only when an event needs it. */
  private String seen() {
    Map<String, Double> row = Objects.requireNonNull(lastRow).values();
    String span = lastRun > 1 ? " for " + lastRun + " updates" : "";
    String beside =
        rule.with().stream()
            .filter(row::containsKey)
            .map(name -> name + " " + RuleFigures.shown(Objects.requireNonNull(row.get(name))))
            .collect(Collectors.joining(", "));
    return rule.condition().describe(Objects.requireNonNull(last))
        + span
        + (beside.isEmpty() ? "" : "; " + beside);
  }

  private String ended() {
    return String.format(
        Locale.ROOT,
        "not seen for %d updates, last in update %d: %s",
        quiet,
        Objects.requireNonNull(lastRow).update(),
        seen());
  }

  private AlertEvent event(MetricRow row, State state, String text) {
    return new AlertEvent(
        row.update(),
        row.steps(),
        rule.name(),
        rule.severity(),
        state,
        Objects.requireNonNull(last).metric(),
        last.value(),
        text,
        rule.why(),
        rule.advice());
  }

  boolean standing() {
    return standing;
  }

  boolean everRaised() {
    return count > 0;
  }

  /** Summary of the alert; empty if it was never raised. */
  Optional<AlertSummary> alert() {
    return !everRaised()
        ? Optional.empty()
        : Optional.of(
            new AlertSummary(
                rule.name(),
                rule.severity(),
                Objects.requireNonNull(last).metric(),
                count,
                firstUpdate,
                Objects.requireNonNull(lastRow).update(),
                last.value(),
                standing,
                "%s. Why it matters: %s. What to try: %s."
                    .formatted(seen(), rule.why(), rule.advice()),
                seen(),
                rule.advice()));
  }
}
