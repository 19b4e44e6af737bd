package io.quantail.health;

import io.quantail.metrics.MetricRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Watches a run: turns its rows of metrics into alerts.
 *
 * <p>What it remembers follows from the rows alone, so a run that is resumed shows it the old rows
 * again and goes on with the alerts of an undisturbed run. It reads and never changes a number of
 * the training. {@code HealthTest} pins when alerts begin and end, {@code FaultTableTest} that the
 * built-in rules see what they are for.
 */
public final class Health {
  /** Where the state of each rule stands among the metrics. */
  private static final String PREFIX = "health/";

  private final List<Watch> watches;

  public Health(Rules rules) {
    watches = rules.all().stream().map(Watch::new).toList();
  }

  /** Takes in the next row; the alerts that begin or end with it, in the order of the rules. */
  public List<AlertEvent> inspect(MetricRow row) {
    Map<Watch, Condition.Reading> readings = new LinkedHashMap<>();
    Set<String> holding = new HashSet<>();
    for (Watch watch : watches) {
      Optional<Condition.Reading> reading = watch.read(row);
      reading.ifPresent(found -> readings.put(watch, found));
      if (reading.isPresent() && reading.get().holds()) {
        holding.add(watch.rule().name());
      }
    }
    List<AlertEvent> events = new ArrayList<>();
    readings.forEach(
        (watch, reading) -> {
          if (watch.rule().enabled()) {
            boolean excused = watch.rule().unless().stream().anyMatch(holding::contains);
            watch.judge(row, reading, excused).ifPresent(events::add);
          }
        });
    return events;
  }

  /** The row with the state of every alert that was ever raised: 1 while it stands, 0 after. */
  public MetricRow mark(MetricRow row) {
    Map<String, Double> values = new TreeMap<>(row.values());
    watches.stream()
        .filter(Watch::everRaised)
        .forEach(watch -> values.put(PREFIX + watch.rule().name(), watch.standing() ? 1.0 : 0.0));
    return new MetricRow(row.update(), row.steps(), row.seconds(), values);
  }

  /** All alerts so far: the most severe first, then in the order in which they were raised. */
  public List<Alert> alerts() {
    return watches.stream()
        .flatMap(watch -> watch.alert().stream())
        .sorted(
            Comparator.comparing(Alert::severity)
                .reversed()
                .thenComparing(Alert::firstUpdate)
                .thenComparing(Alert::rule))
        .toList();
  }
}
