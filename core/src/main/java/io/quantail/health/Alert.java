package io.quantail.health;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a rule saw in a whole run.
 *
 * @param rule name of the rule
 * @param severity how much it matters
 * @param metric the metric that was looked at last
 * @param count updates in which the alert stood and its condition held
 * @param firstUpdate the update after which it was raised first
 * @param lastUpdate the last update in which its condition held
 * @param lastValue the value of the metric then
 * @param active whether it still stands
 * @param message what was seen last, why it matters and what to try
 * @param seen what was seen last
 * @param advice what to try
 */
public record Alert(
    String rule,
    Severity severity,
    String metric,
    long count,
    long firstUpdate,
    long lastUpdate,
    double lastValue,
    boolean active,
    String message,
    @JsonIgnore String seen,
    @JsonProperty("try") String advice) {}
