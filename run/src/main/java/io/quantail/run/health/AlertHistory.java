package io.quantail.run.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.run.io.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Alerts of a run, read from the file that {@link AlertLog} wrote: one line when an alert is raised
 * and one when it is cleared.
 *
 * @param alerts in the order in which they were raised
 * @param unreadable number of lines that are not alerts
 */
public record AlertHistory(List<Past> alerts, int unreadable) {
  private static final int LONGEST_TEXT = 2_000;
  private static final Set<String> SEVERITIES = Set.of("info", "warning", "error");

  /** No alerts. */
  public static final AlertHistory NONE = new AlertHistory(List.of(), 0);

  /**
   * An alert from raise to clearance.
   *
   * @param rule that raised it
   * @param severity info, warning or error
   * @param metric of the rule
   * @param value of the metric when it was raised; null when it is not a number
   * @param update at which it was raised
   * @param steps at which it was raised
   * @param endedUpdate at which it was cleared; null while it is active
   * @param endedSteps at which it was cleared; null while it is active
   * @param seen values that met the condition
   * @param why it matters
   * @param advice what to try
   */
  public record Past(
      String rule,
      String severity,
      String metric,
      @Nullable Double value,
      long update,
      long steps,
      @Nullable Long endedUpdate,
      @Nullable Long endedSteps,
      String seen,
      String why,
      String advice) {

    boolean lasts() {
      return endedSteps == null;
    }

    private Past endedBy(JsonNode line) {
      return new Past(
          rule,
          severity,
          metric,
          value,
          update,
          steps,
          line.path("update").asLong(),
          line.path("steps").asLong(),
          seen,
          why,
          advice);
    }
  }

  /**
   * Parses complete lines. A last line without line break is still being written, or is incomplete.
   */
  public static AlertHistory parse(String text) {
    List<Past> alerts = new ArrayList<>();
    int unreadable = 0;
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      if (!line.isBlank() && !take(line, alerts)) {
        unreadable++;
      }
    }
    return new AlertHistory(List.copyOf(alerts), unreadable);
  }

  private static boolean take(String line, List<Past> alerts) {
    JsonNode node;
    try {
      node = Json.MAPPER.readTree(line);
    } catch (JsonProcessingException damaged) {
      return false;
    }
    String rule = text(node, "rule");
    if (rule.isEmpty() || !node.path("steps").isNumber()) {
      return false;
    }
    switch (text(node, "state")) {
      case "raised" -> alerts.add(raised(node, rule));
      case "ended" -> end(alerts, rule, node);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Past raised(JsonNode node, String rule) {
    String severity = text(node, "severity").toLowerCase(Locale.ROOT);
    double value = node.path("value").asDouble(Double.NaN);
    return new Past(
        rule,
        SEVERITIES.contains(severity) ? severity : "warning",
        text(node, "metric"),
        Double.isFinite(value) ? value : null,
        node.path("update").asLong(),
        node.path("steps").asLong(),
        null,
        null,
        text(node, "seen"),
        text(node, "why"),
        text(node, "try"));
  }

  /** The newest active alert of the rule; none if the file does not contain its raise. */
  private static void end(List<Past> alerts, String rule, JsonNode line) {
    for (int i = alerts.size() - 1; i >= 0; i--) {
      if (alerts.get(i).rule().equals(rule) && alerts.get(i).lasts()) {
        alerts.set(i, alerts.get(i).endedBy(line));
        return;
      }
    }
  }

  private static String text(JsonNode node, String name) {
    String text = node.path(name).asText("");
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + " ...";
  }

  /** Number of active alerts by severity; severities without any are omitted. */
  public Map<String, Integer> lasting() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    alerts.stream()
        .filter(Past::lasts)
        .forEach(alert -> counts.merge(alert.severity(), 1, Integer::sum));
    return counts;
  }
}
