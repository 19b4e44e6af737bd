package io.quantail.run.health;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Summary of all occurrences of an alert in a run.
 *
 * @param rule name of the rule
 * @param severity how much it matters
 * @param metric metric of the last occurrence
 * @param count updates in which the alert was active and its condition held
 * @param firstUpdate the update after which it was raised first
 * @param lastUpdate the last update in which its condition held
 * @param lastValue the value of the metric then
 * @param active whether it is still active
 * @param message last occurrence, why it matters and what to try
 * @param seen values of the last occurrence
 * @param advice what to try
 */
public record AlertSummary(
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
