package io.quantail.run.health;

import io.quantail.metrics.MetricRow;
import io.quantail.run.io.DurableFiles;
import io.quantail.run.io.FileDigest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the rows of metrics of a run into alerts.
 *
 * <p>Its state follows from the rows alone: a resumed run passes the earlier rows again and
 * continues with the alerts of an uninterrupted run. It never changes a number of the training.
 * {@code HealthTest} pins when alerts are raised and cleared, {@code FaultTableTest} that the
 * built-in rules detect the faults they are meant for.
 */
public final class HealthMonitor implements AutoCloseable {
  /** Prefix of the metrics that hold the state of each rule. */
  private static final String PREFIX = "health/";

  private final List<RuleMonitor> watches;
  private final @Nullable AlertLog log; // null without a file

  /** A monitor that writes no file. */
  public HealthMonitor(HealthRules rules) {
    watches = rules.all().stream().map(RuleMonitor::new).toList();
    log = null;
  }

  /**
   * A monitor that writes every alert event to a file, which is replaced.
   *
   * @param file {@code alerts.jsonl} of a run
   * @param earlier rows that were recorded before a run was resumed
   */
  public HealthMonitor(HealthRules rules, Path file, List<MetricRow> earlier) {
    this(rules, file, earlier, new DurableFiles());
  }

  /** A monitor that writes every alert event to a file in a given way. */
  public HealthMonitor(HealthRules rules, Path file, List<MetricRow> earlier, DurableFiles files) {
    watches = rules.all().stream().map(RuleMonitor::new).toList();
    log = new AlertLog(file, events(earlier), files);
  }

  /**
   * Returns the content of {@code alerts.jsonl} that follows from rows of metrics.
   *
   * @param rules of the run
   * @param rows of the run from the first on
   * @return one line for each event
   */
  public static String alerts(HealthRules rules, List<MetricRow> rows) {
    try (HealthMonitor monitor = new HealthMonitor(rules)) {
      return AlertLog.text(monitor.events(rows));
    }
  }

  /** Makes the file durable; empty without a file. */
  public Optional<FileDigest> force() {
    return Optional.ofNullable(log).map(AlertLog::force);
  }

  private List<AlertEvent> events(List<MetricRow> rows) {
    List<AlertEvent> all = new ArrayList<>();
    rows.forEach(row -> all.addAll(events(row)));
    return all;
  }

  /**
   * Applies the rules to the next row and writes the resulting events to the file.
   *
   * @return alerts that this row raises or clears, in the order of the rules
   */
  public List<AlertEvent> inspect(MetricRow row) {
    List<AlertEvent> events = events(row);
    if (log != null) {
      log.append(events);
    }
    return events;
  }

  private List<AlertEvent> events(MetricRow row) {
    Map<RuleMonitor, RuleCondition.Reading> readings = new LinkedHashMap<>();
    Set<String> holding = new HashSet<>();
    for (RuleMonitor watch : watches) {
      Optional<RuleCondition.Reading> reading = watch.read(row);
      reading.ifPresent(found -> readings.put(watch, found));
      if (reading.isPresent() && reading.get().holds()) {
        holding.add(watch.rule().name());
      }
    }
    List<AlertEvent> events = new ArrayList<>();
    readings.forEach(
        (watch, reading) -> {
          if (watch.rule().enabled()) {
            boolean suppressed = watch.rule().unless().stream().anyMatch(holding::contains);
            watch.judge(row, reading, suppressed).ifPresent(events::add);
          }
        });
    return events;
  }

  /** The row with the state of every alert that was ever raised: 1 while active, 0 when cleared. */
  public MetricRow mark(MetricRow row) {
    Map<String, Double> values = new TreeMap<>(row.values());
    watches.stream()
        .filter(RuleMonitor::everRaised)
        .forEach(watch -> values.put(PREFIX + watch.rule().name(), watch.standing() ? 1.0 : 0.0));
    return new MetricRow(row.update(), row.steps(), row.seconds(), values);
  }

  /** All alerts so far: the most severe first, then in the order in which they were raised. */
  public List<AlertSummary> alerts() {
    return watches.stream()
        .flatMap(watch -> watch.alert().stream())
        .sorted(
            Comparator.comparing(AlertSummary::severity)
                .reversed()
                .thenComparing(AlertSummary::firstUpdate)
                .thenComparing(AlertSummary::rule))
        .toList();
  }

  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }
}
