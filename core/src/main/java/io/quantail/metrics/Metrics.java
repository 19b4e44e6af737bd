package io.quantail.metrics;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the metrics of one iteration, from which the trainer makes a {@link MetricRow}.
 *
 * <p>A metric is emitted only when it is defined: a NaN or infinite value is omitted and counted
 * under {@value #NONFINITE}, so that a sink never receives one and the fault is still visible.
 * Names belong to the {@link MetricCatalogue}. Not safe for use by several threads. {@code
 * MetricsTest} pins the rules.
 */
public final class Metrics {
  /** Number of values omitted because they were not finite; absent if there were none. */
  public static final String NONFINITE = "warn/nonfinite_metrics";

  private final Map<String, Double> values = new TreeMap<>();

  /** Records a value; it replaces an earlier one of the same name. */
  public void put(String name, double value) {
    MetricRow.checkName(name);
    if (Double.isFinite(value)) {
      values.put(name, value);
    } else {
      values.merge(NONFINITE, 1.0, Double::sum);
    }
  }

  /** Adds to a count, which starts at zero. */
  public void add(String name, double amount) {
    put(name, values.getOrDefault(name, 0.0) + amount);
  }

  /** A copy of the values recorded so far, sorted by name. */
  public Map<String, Double> snapshot() {
    return Collections.unmodifiableMap(new TreeMap<>(values));
  }
}
