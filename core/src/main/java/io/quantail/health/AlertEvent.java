package io.quantail.health;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.config.Names;

/**
 * An alert that begins or ends; one line of {@code alerts.jsonl}.
 *
 * @param update the update after which it did
 * @param steps environment steps until then
 * @param rule name of the rule
 * @param severity how much it matters
 * @param state whether it begins or ends
 * @param metric the metric that was looked at
 * @param value its value when the condition last held
 * @param seen what was seen
 * @param why why it matters
 * @param advice what to try
 */
@JsonPropertyOrder({
  "update",
  "steps",
  "rule",
  "severity",
  "state",
  "metric",
  "value",
  "seen",
  "why",
  "try"
})
public record AlertEvent(
    long update,
    long steps,
    String rule,
    Severity severity,
    State state,
    String metric,
    double value,
    String seen,
    String why,
    @JsonProperty("try") String advice) {

  /** Whether an alert begins or ends. */
  public enum State {
    RAISED,
    ENDED;

    /** As it stands in files. */
    @JsonValue
    public String written() {
      return Names.written(this);
    }
  }
}
