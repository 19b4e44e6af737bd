package io.quantail.app.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The alerts of a run, read from {@code alerts.jsonl}: a line when one is raised, a line when it
 * ends.
 *
 * @param alerts the newest first
 * @param unreadable lines that are no alert
 */
record AlertLog(List<Alert> alerts, int unreadable) {
  private static final int NEWEST_BYTES = 1 << 20;
  private static final int MOST_ALERTS = 500;
  private static final int LONGEST_TEXT = 2_000;
  private static final Set<String> SEVERITIES = Set.of("info", "warning", "error");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One alert from its rise to its end.
   *
   * @param rule that raised it
   * @param severity info, warning or error
   * @param metric that the rule looks at
   * @param value of the metric when it was raised
   * @param update at which it was raised
   * @param steps at which it was raised
   * @param endedSteps at which it ended; null while it lasts
   * @param seen what was seen
   * @param why it matters
   * @param advice what to try
   */
  record Alert(
      String rule,
      String severity,
      String metric,
      Double value,
      long update,
      long steps,
      Long endedSteps,
      String seen,
      String why,
      String advice) {

    boolean lasts() {
      return endedSteps == null;
    }

    private Alert endedAt(long end) {
      return new Alert(rule, severity, metric, value, update, steps, end, seen, why, advice);
    }
  }

  static AlertLog of(RunFolder folder) {
    try {
      return parse(new String(folder.tail(RunFolder.ALERTS, NEWEST_BYTES), StandardCharsets.UTF_8));
    } catch (IOException none) {
      return new AlertLog(List.of(), 0);
    }
  }

  /** A last line without its end is still being written. */
  static AlertLog parse(String text) {
    Deque<Alert> alerts = new ArrayDeque<>();
    int unreadable = 0;
    int end;
    for (int start = 0; (end = text.indexOf('\n', start)) >= 0; start = end + 1) {
      String line = text.substring(start, end).strip();
      if (!line.isEmpty() && !take(line, alerts)) {
        unreadable++;
      }
      if (alerts.size() > MOST_ALERTS) {
        alerts.removeLast();
      }
    }
    return new AlertLog(List.copyOf(alerts), unreadable);
  }

  private static boolean take(String line, Deque<Alert> alerts) {
    JsonNode node;
    try {
      node = JSON.readTree(line);
    } catch (JsonProcessingException damaged) {
      return false;
    }
    String rule = text(node, "rule");
    String state = text(node, "state");
    if (rule.isEmpty() || !node.path("steps").isNumber()) {
      return false;
    }
    if (state.equals("ended")) {
      end(alerts, rule, node.path("steps").asLong());
      return true;
    }
    alerts.addFirst(raised(node, rule));
    return state.equals("raised");
  }

  private static Alert raised(JsonNode node, String rule) {
    String severity = text(node, "severity").toLowerCase(Locale.ROOT);
    double value = node.path("value").asDouble(Double.NaN);
    return new Alert(
        rule,
        SEVERITIES.contains(severity) ? severity : "warning",
        text(node, "metric"),
        Double.isFinite(value) ? value : null,
        node.path("update").asLong(),
        node.path("steps").asLong(),
        null,
        text(node, "seen"),
        text(node, "why"),
        text(node, "try"));
  }

  private static void end(Deque<Alert> alerts, String rule, long steps) {
    List<Alert> all = new ArrayList<>(alerts);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).rule().equals(rule) && all.get(i).lasts()) {
        all.set(i, all.get(i).endedAt(steps));
        alerts.clear();
        alerts.addAll(all);
        return;
      }
    }
  }

  private static String text(JsonNode node, String name) {
    String text = node.path(name).asText("");
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + " ...";
  }

  /** How many alerts last, by severity; severities without any are left out. */
  Map<String, Integer> lasting() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    alerts.stream()
        .filter(Alert::lasts)
        .forEach(alert -> counts.merge(alert.severity(), 1, Integer::sum));
    return counts;
  }
}
