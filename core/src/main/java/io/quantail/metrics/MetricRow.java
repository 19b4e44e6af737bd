package io.quantail.metrics;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metrics of one iteration.
 *
 * @param update number of the policy update, counted from 1
 * @param steps environment steps so far, over all environments
 * @param seconds wall-clock time since the start of the run
 * @param values finite values by metric name, in the order of the names
 */
public record MetricRow(long update, long steps, double seconds, Map<String, Double> values) {
  /** Checks names and values. */
  public MetricRow {
    values.forEach(MetricRow::check);
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  private static void check(String name, double value) {
    checkName(name);
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("metric " + name + " must be finite, was " + value);
    }
  }

  /** Names become CSV fields and TensorBoard tags, so they have no commas, quotes or spaces. */
  static void checkName(String name) {
    boolean allowed = !name.isEmpty();
    for (int i = 0; i < name.length(); i++) {
      allowed &= allowed(name.charAt(i));
    }
    if (!allowed) {
      throw new IllegalArgumentException(
          "a metric name has letters, digits and / _ . - @ only, was \"" + name + "\"");
    }
  }

  private static boolean allowed(char character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || "/_.-@".indexOf(character) >= 0;
  }
}
