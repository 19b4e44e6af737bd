package io.quantail.run.health;

import io.quantail.metrics.MetricPattern;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * Condition of a rule on a row of metrics.
 *
 * @param metric or pattern of metrics that the rule reads
 * @param per metric by which it is divided; empty if it is not divided
 * @param when kind of condition
 * @param threshold of the comparison; 0 if nothing is compared
 * @param window number of earlier updates whose mean a change is measured against
 */
record RuleCondition(
    MetricPattern metric, Optional<String> per, RuleClause when, double threshold, int window) {

  /**
   * Value of the condition for one row.
   *
   * @param metric that was read
   * @param value of the metric, divided if the rule divides
   * @param earlier mean of the earlier values; NaN if the condition does not use it
   * @param holds whether the condition holds
   */
  record Reading(String metric, double value, double earlier, boolean holds) {}

  /** Evaluates the condition on a row; empty if the row has no such metric. */
  Optional<Reading> read(Map<String, Double> row, MetricHistory history) {
    Optional<Map.Entry<String, Double>> worst = worst(row);
    if (when == RuleClause.ABSENT) {
      return Optional.of(new Reading(metric.text(), 0, Double.NaN, worst.isEmpty()));
    }
    if (when == RuleClause.PRESENT) {
      return Optional.of(
          worst
              .map(found -> new Reading(found.getKey(), found.getValue(), Double.NaN, true))
              .orElseGet(() -> new Reading(metric.text(), 0, Double.NaN, false)));
    }
    return worst.flatMap(found -> compare(found.getKey(), found.getValue(), history));
  }

  private Optional<Reading> compare(String name, double value, MetricHistory history) {
    if (!when.looksBack()) {
      return Optional.of(new Reading(name, value, Double.NaN, holds(value, Double.NaN)));
    }
    double earlier = history.mean();
    boolean full = history.full();
    history.add(value);
    return full
        ? Optional.of(new Reading(name, value, earlier, holds(value, earlier)))
        : Optional.empty();
  }

  private boolean holds(double value, double earlier) {
    return switch (when) {
      case ABOVE -> value > threshold;
      case BELOW -> value < threshold;
      case BEYOND -> Math.abs(value) > threshold;
      case APART -> value > threshold || value < 1 / threshold;
      case GROWN -> value > threshold * earlier;
      case SHRUNK -> value < earlier / threshold;
      case DROPPED -> value < earlier - threshold;
      case PRESENT, ABSENT -> throw new IllegalStateException(when + " compares nothing");
    };
  }

  /** Of all metrics that match the pattern, the one nearest to an alert. */
  private Optional<Map.Entry<String, Double>> worst(Map<String, Double> row) {
    if (metric.isName()) {
      return Optional.ofNullable(row.get(metric.text()))
          .flatMap(value -> divided(Map.entry(metric.text(), value), row));
    }
    return row.entrySet().stream()
        .filter(entry -> metric.matches(entry.getKey()))
        .flatMap(entry -> divided(entry, row).stream())
        .max(Comparator.comparingDouble(entry -> badness(entry.getValue())));
  }

  private Optional<Map.Entry<String, Double>> divided(
      Map.Entry<String, Double> entry, Map<String, Double> row) {
    if (per.isEmpty()) {
      return Optional.of(entry);
    }
    double quotient = entry.getValue() / row.getOrDefault(per.get(), 0.0);
    return Double.isFinite(quotient)
        ? Optional.of(Map.entry(entry.getKey(), quotient))
        : Optional.empty();
  }

  private double badness(double value) {
    return switch (when) {
      case BELOW, SHRUNK, DROPPED -> -value;
      case BEYOND -> Math.abs(value);
      case APART -> Math.abs(Math.log(value));
      case ABOVE, GROWN, PRESENT, ABSENT -> value;
    };
  }

  /** Text of a reading for users. */
  String describe(Reading reading) {
    String name = per.map(divisor -> reading.metric() + " / " + divisor).orElse(reading.metric());
    String value = RuleFigures.shown(reading.value());
    String limit = RuleFigures.shown(threshold);
    String mean = RuleFigures.shown(reading.earlier()) + " of " + window + " updates";
    return switch (when) {
      case ABOVE -> "%s is %s, above %s".formatted(name, value, limit);
      case BELOW -> "%s is %s, below %s".formatted(name, value, limit);
      case BEYOND -> "%s is %s, beyond ±%s".formatted(name, value, limit);
      case APART -> "%s is %s, more than a factor of %s from 1".formatted(name, value, limit);
      case PRESENT -> "%s is %s".formatted(name, value);
      case ABSENT -> "%s is missing".formatted(name);
      case GROWN -> "%s is %s, above %s times its mean %s".formatted(name, value, limit, mean);
      case SHRUNK -> "%s is %s, below 1/%s of its mean %s".formatted(name, value, limit, mean);
      case DROPPED ->
          "%s is %s, more than %s below its mean %s".formatted(name, value, limit, mean);
    };
  }
}
