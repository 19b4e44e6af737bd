package io.quantail.app;

import io.quantail.metrics.MetricRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Remembers which warnings and errors a run raised, how often, and when first. */
final class Alerts {

  /**
   * @param name metric that raised it
   * @param count updates in which it was raised
   * @param firstUpdate the first of them
   * @param lastValue its value at the last
   */
  record Alert(String name, int count, long firstUpdate, double lastValue) {}

  private final Map<String, Alert> byName = new TreeMap<>();

  void inspect(MetricRow row) {
    row.values()
        .forEach(
            (name, value) -> {
              if (name.startsWith("warn/") || name.startsWith("error/")) {
                Alert before = byName.get(name);
                byName.put(
                    name,
                    before == null
                        ? new Alert(name, 1, row.update(), value)
                        : new Alert(name, before.count() + 1, before.firstUpdate(), value));
              }
            });
  }

  List<Alert> all() {
    return new ArrayList<>(byName.values());
  }
}
