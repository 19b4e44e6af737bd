package io.quantail.app.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is known of the runs of one directory; safe for use by several threads. */
final class RunStore {
  /** Runs whose metrics stay in memory: 10,000 updates of 150 metrics take 20 MB. */
  private static final int MOST_IN_MEMORY = 16;

  private final RunCatalog catalog;
  private final Clock clock;
  private final Map<String, RunData> loaded = new LinkedHashMap<>(32, 0.75f, true);
  private final Map<String, Known> known = new HashMap<>();

  /** A summary, and what it was made from. */
  private record Known(List<Object> stamps, AlertLog alerts, RunSummary summary) {}

  RunStore(Path runs, Clock clock) throws IOException {
    catalog = new RunCatalog(runs);
    this.clock = clock;
  }

  String name() {
    return catalog.name();
  }

  Optional<RunFolder> find(String id) {
    return catalog.find(id);
  }

  synchronized List<RunSummary> summaries() {
    List<RunFolder> runs = catalog.runs();
    Set<String> ids = new HashSet<>();
    runs.forEach(run -> ids.add(run.id()));
    known.keySet().retainAll(ids);
    return runs.stream().map(this::summary).toList();
  }

  /** The run that was written last. */
  Optional<RunFolder> newest() {
    return catalog.runs().stream()
        .max(
            Comparator.comparingLong(
                run ->
                    run.stamp(RunFolder.METRICS)
                        .map(RunFolder.Stamp::modifiedMillis)
                        .orElse(Long.MIN_VALUE)));
  }

  /** Read again only when a file has changed, or when time alone may change the state. */
  synchronized RunSummary summary(RunFolder folder) {
    Known before = known.get(folder.id());
    List<Object> stamps =
        List.of(
            folder.stamp(RunFolder.METRICS),
            folder.stamp(RunFolder.ALERTS),
            folder.stamp(RunFolder.CONFIG),
            folder.stamp(RunFolder.RESULT),
            folder.stamp("metrics.parquet"));
    if (before != null
        && before.stamps().equals(stamps)
        && before.summary().state() != RunSummary.State.RUNNING) {
      return before.summary();
    }
    AlertLog alerts = AlertLog.of(folder);
    RunSummary summary = RunSummary.of(folder, alerts, clock.millis());
    known.put(folder.id(), new Known(stamps, alerts, summary));
    return summary;
  }

  synchronized AlertLog alerts(RunFolder folder) {
    summary(folder);
    return known.get(folder.id()).alerts();
  }

  /** The metrics of a run, read if need be. */
  RunData data(RunFolder folder) {
    RunData data;
    synchronized (this) {
      data = loaded.get(folder.id());
      if (data == null || !data.folder().equals(folder)) {
        data = new RunData(folder);
        loaded.put(folder.id(), data);
        loaded.keySet().removeIf(id -> loaded.size() > MOST_IN_MEMORY && !id.equals(folder.id()));
      }
    }
    data.poll();
    return data;
  }
}
