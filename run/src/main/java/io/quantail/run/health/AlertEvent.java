package io.quantail.run.health;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.config.SettingNames;

/**
 * An alert that is raised or cleared; one line of {@code alerts.jsonl}.
 *
 * @param update after which it was raised or cleared
 * @param steps environment steps until then
 * @param rule name of the rule
 * @param severity how much it matters
 * @param state whether it is raised or cleared
 * @param metric metric of the rule
 * @param value its value when the condition last held
 * @param seen values that met the condition
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

  /** Whether an alert is raised or cleared. */
  public enum State {
    RAISED,
    ENDED;

    /** The name in files. */
    @JsonValue
    public String written() {
      return SettingNames.written(this);
    }
  }
}
