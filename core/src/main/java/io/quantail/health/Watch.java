package io.quantail.health;

import io.quantail.health.AlertEvent.State;
import io.quantail.metrics.MetricRow;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What one rule has seen so far. */
final class Watch {
  private final Rule rule;
  private final History history;
  private long run; // updates in a row in which the condition held
  private long quiet; // updates in a row in which it did not
  private boolean standing;
  private long count;
  private long firstUpdate;
  private MetricRow lastRow; // in which it was seen while standing, like the next two
  private Condition.Reading last;
  private long lastRun;

  Watch(Rule rule) {
    this.rule = rule;
    this.history = new History(rule.condition().window());
  }

  Rule rule() {
    return rule;
  }

  /** Looks at a row, to be judged by {@link #judge}; empty when it says nothing. */
  Optional<Condition.Reading> read(MetricRow row) {
    return rule.condition().read(row.values(), history);
  }

  /** Takes in a reading; what begins or ends with it. */
  Optional<AlertEvent> judge(MetricRow row, Condition.Reading reading, boolean excused) {
    if (row.update() <= rule.warmup()) {
      return Optional.empty();
    }
    if (reading.holds() && !excused) {
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

  private Optional<AlertEvent> held(MetricRow row, Condition.Reading reading) {
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

  /** What was seen last; put into words only when somebody is told. */
  private String seen() {
    Map<String, Double> row = lastRow.values();
    String span = lastRun > 1 ? " for " + lastRun + " updates" : "";
    String beside =
        rule.with().stream()
            .filter(row::containsKey)
            .map(name -> name + " " + Figures.shown(row.get(name)))
            .collect(Collectors.joining(", "));
    return rule.condition().describe(last) + span + (beside.isEmpty() ? "" : "; " + beside);
  }

  private String ended() {
    return "not seen for %d updates, last in update %d: %s"
        .formatted(quiet, lastRow.update(), seen());
  }

  private AlertEvent event(MetricRow row, State state, String text) {
    return new AlertEvent(
        row.update(),
        row.steps(),
        rule.name(),
        rule.severity(),
        state,
        last.metric(),
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

  /** What the rule saw; empty if it never raised its alert. */
  Optional<Alert> alert() {
    return !everRaised()
        ? Optional.empty()
        : Optional.of(
            new Alert(
                rule.name(),
                rule.severity(),
                last.metric(),
                count,
                firstUpdate,
                lastRow.update(),
                last.value(),
                standing,
                "%s. Why it matters: %s. What to try: %s."
                    .formatted(seen(), rule.why(), rule.advice()),
                seen(),
                rule.advice()));
  }
}
