package io.quantail.metrics;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the measurements of one iteration; the trainer makes one, hands it down and turns it
 * into a {@link MetricRow}.
 *
 * <p>A metric is emitted only when it is defined: a NaN or infinite value is left out and counted
 * under {@value #NONFINITE}, so that a sink never sees one and the fault still shows. Names belong
 * to the {@link MetricCatalogue}. Not safe for use by several threads. {@code MetricsTest} pins the
 * rules.
 */
public final class Metrics {
  /** How many values were left out because they were not finite; absent when there were none. */
  public static final String NONFINITE = "warn/nonfinite_metrics";

  private final Map<String, Double> values = new TreeMap<>();

  /** Records a value; the last one given under a name counts. */
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

  /** What was recorded so far, sorted by name; later recordings do not change it. */
  public Map<String, Double> snapshot() {
    return Collections.unmodifiableMap(new TreeMap<>(values));
  }
}
