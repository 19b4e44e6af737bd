package io.quantail.app.dashboard;

import io.quantail.run.health.AlertHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Caches the runs of one directory; safe for use by several threads. */
final class RunCache {
  /** Runs whose metrics stay in memory: 10,000 updates of 150 metrics take 20 MB. */
  private static final int MOST_IN_MEMORY = 16;

  private final RunCatalog catalog;
  private final Clock clock;
  private final Map<String, RunSeries> loaded = new LinkedHashMap<>(32, 0.75f, true);
  private final Map<String, Known> known = new HashMap<>();
  private final Map<String, KnownPopulation> populations = new HashMap<>();

  /** A summary, with the stamps of the files it was made from. */
  private record Known(List<Object> stamps, AlertHistory alerts, RunSummary summary) {}

  /** The same for a population. */
  private record KnownPopulation(List<Object> stamps, PopulationSummary summary) {}

  RunCache(Path runs, Clock clock) throws IOException {
    catalog = new RunCatalog(runs);
    this.clock = clock;
  }

  String name() {
    return catalog.name();
  }

  long nowMillis() {
    return clock.millis();
  }

  Optional<RunFiles> find(String id) {
    return catalog.find(id);
  }

  synchronized List<RunSummary> summaries() {
    List<RunFiles> runs = catalog.runs();
    Set<String> ids = new HashSet<>();
    runs.forEach(run -> ids.add(run.id()));
    known.keySet().retainAll(ids);
    return runs.stream().map(this::summary).toList();
  }

  Optional<RunFiles> findPopulation(String id) {
    return catalog.findPopulation(id);
  }

  synchronized List<PopulationSummary> populations() {
    List<RunFiles> found = catalog.populations();
    populations.keySet().retainAll(found.stream().map(RunFiles::id).toList());
    return found.stream().map(this::population).toList();
  }

  /** Reads a journal again only if it has changed. */
  private PopulationSummary population(RunFiles folder) {
    KnownPopulation before = populations.get(folder.id());
    List<Object> stamps =
        List.of(folder.stamp(RunFiles.JOURNAL), folder.stamp(RunFiles.POPULATION));
    if (before == null || !before.stamps().equals(stamps)) {
      PopulationJournalView log = PopulationJournalView.of(folder);
      before = new KnownPopulation(stamps, PopulationSummary.of(folder, log, clock.millis()));
      populations.put(folder.id(), before);
    }
    return before.summary().at(clock.millis());
  }

  /** The run whose metrics were written last. */
  Optional<RunFiles> newest() {
    return catalog.runs().stream()
        .max(
            Comparator.comparingLong(
                run ->
                    run.stamp(RunFiles.METRICS)
                        .map(RunFiles.Stamp::modifiedMillis)
                        .orElse(Long.MIN_VALUE)));
  }

  /** Reads a run again if a file has changed, or if its state may change with time alone. */
  synchronized RunSummary summary(RunFiles folder) {
    Known before = known.get(folder.id());
    List<Object> stamps =
        List.of(
            folder.stamp(RunFiles.METRICS),
            folder.stamp(RunFiles.ALERTS),
            folder.stamp(RunFiles.CONFIG),
            folder.stamp(RunFiles.RESULT),
            folder.stamp(RunFiles.STATUS));
    if (before != null
        && before.stamps().equals(stamps)
        && before.summary().state() != RunSummary.State.RUNNING) {
      return before.summary();
    }
    AlertHistory alerts = folder.alerts();
    RunSummary summary = RunSummary.of(folder, alerts, clock.millis());
    known.put(folder.id(), new Known(stamps, alerts, summary));
    return summary;
  }

  synchronized AlertHistory alerts(RunFiles folder) {
    summary(folder);
    return Objects.requireNonNull(known.get(folder.id())).alerts();
  }

  /** The metrics of a run, up to date. */
  RunSeries data(RunFiles folder) {
    RunSeries data;
    synchronized (this) {
      data = loaded.get(folder.id());
      if (data == null || !data.folder().equals(folder)) {
        data = new RunSeries(folder);
        loaded.put(folder.id(), data);
        loaded.keySet().removeIf(id -> loaded.size() > MOST_IN_MEMORY && !id.equals(folder.id()));
      }
    }
    data.poll();
    return data;
  }
}
