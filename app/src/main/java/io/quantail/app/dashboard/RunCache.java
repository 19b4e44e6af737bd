package io.quantail.app.dashboard;

import io.quantail.market.evaluation.BaselineComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Caches the runs of one directory; safe for use by several threads.
 *
 * <p>Summaries are kept for every run of the list, about 1 kB each, and are made again when the
 * size or time of a file has changed. Metrics are kept for few runs, the last used, and lines of
 * comparisons, which are short, for many.
 */
final class RunCache {
  /** Values of metrics in memory; a value takes 12 to 24 bytes. */
  private static final long MOST_VALUES = 6_000_000;

  /** Points of compared lines in memory; a point takes 16 bytes. */
  private static final int MOST_POINTS = 2_000_000;

  private final RunCatalog catalog;
  private final Clock clock;
  private final Map<String, RunSeries> loaded = new LinkedHashMap<>(32, 0.75f, true);
  private final Map<LinesKey, KnownLines> lines = new LinkedHashMap<>(64, 0.75f, true);
  private final SettingsCache settings = new SettingsCache();
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<String, KnownPopulation> populations = new ConcurrentHashMap<>();
  private final Map<String, KnownKind> kinds = new ConcurrentHashMap<>();

  /** A summary, with the stamps of the files it was made from. */
  private record Known(List<Object> stamps, RunSettings settings, RunSummary summary) {}

  /** The same for a population. */
  private record KnownPopulation(List<Object> stamps, PopulationSummary summary) {}

  /** The same for a study. */
  private record KnownKind(Object stamp, String kind) {}

  /** Which lines were read for a comparison. */
  private record LinesKey(String run, List<String> metrics, int points) {}

  /** The lines, with the stamps of the files they were read from. */
  private record KnownLines(List<Object> stamps, RunSeries.Lines lines) {}

  /**
   * Everything in the list.
   *
   * @param name of the directory
   * @param complete whether all runs of the directory are in the list
   * @param settings that differ from their defaults, by key
   * @param defaults of all these settings, by path
   * @param policies names of baselines in plain words
   * @param runs by name
   * @param studies by name
   * @param populations by name
   */
  record Listing(
      String name,
      boolean complete,
      Map<String, Map<String, String>> settings,
      Map<String, String> defaults,
      Map<String, String> policies,
      List<RunSummary> runs,
      List<StudySummary> studies,
      List<PopulationSummary> populations) {}

  RunCache(Path runs, Clock clock) throws IOException {
    catalog = new RunCatalog(runs);
    this.clock = clock;
  }

  long nowMillis() {
    return clock.millis();
  }

  Optional<RunFiles> find(String id) {
    return catalog.find(id);
  }

  Optional<RunFiles> findStudy(String id) {
    return catalog.findStudy(id);
  }

  Optional<RunFiles> findPopulation(String id) {
    return catalog.findPopulation(id);
  }

  RunSettings settings(RunFiles folder) {
    return settings.of(folder).settings();
  }

  Listing listing() {
    RunCatalog.Found found = catalog.scan();
    known.keySet().retainAll(found.runs().keySet());
    populations.keySet().retainAll(found.populations().keySet());
    kinds.keySet().retainAll(found.studies().keySet());
    List<RunFiles> folders = new ArrayList<>(found.runs().values());
    List<Known> entries = folders.parallelStream().map(this::known).toList();
    Map<String, Map<String, String>> changed = new LinkedHashMap<>();
    Map<String, String> defaults = new TreeMap<>();
    for (Known entry : entries) {
      if (changed.put(entry.settings().key(), entry.settings().changed()) == null) {
        defaults.putAll(entry.settings().defaults());
      }
    }
    List<RunSummary> runs = entries.stream().map(Known::summary).toList();
    Map<String, List<RunSummary>> agents =
        runs.stream().collect(Collectors.groupingBy(RunSummary::study));
    return new Listing(
        catalog.name(),
        found.complete(),
        changed,
        defaults,
        BaselineComparison.titles(),
        runs,
        found.studies().values().stream()
            .map(study -> study(study, agents.getOrDefault(study.id(), List.of())))
            .toList(),
        found.populations().values().stream().map(this::population).toList());
  }

  /** Summary of a study with the runs of its agents. */
  StudySummary study(RunFiles folder, List<RunSummary> agents) {
    Object stamp = folder.stamp(RunFiles.STUDY);
    KnownKind before = kinds.get(folder.id());
    if (before == null || !before.stamp().equals(stamp)) {
      before = new KnownKind(stamp, StudySummary.kind(folder));
      kinds.put(folder.id(), before);
    }
    return StudySummary.of(folder, before.kind(), agents, clock.millis());
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
    return catalog.scan().runs().values().stream()
        .max(
            Comparator.comparingLong(
                run ->
                    run.stamp(RunFiles.METRICS)
                        .map(RunFiles.Stamp::modifiedMillis)
                        .orElse(Long.MIN_VALUE)));
  }

  RunSummary summary(RunFiles folder) {
    return known(folder).summary();
  }

  /** Reads a run again if a file has changed, or if its state may change with time alone. */
  private Known known(RunFiles folder) {
    List<Object> stamps =
        List.of(
            folder.stamp(RunFiles.METRICS),
            folder.stamp(RunFiles.ALERTS),
            folder.stamp(RunFiles.CONFIG),
            folder.stamp(RunFiles.RESULT),
            folder.stamp(RunFiles.REPORT).isPresent(),
            folder.stamp(RunFiles.STATUS));
    Known before = known.get(folder.id());
    if (before != null
        && before.stamps().equals(stamps)
        && before.summary().state() != RunSummary.State.RUNNING) {
      return before;
    }
    SettingsCache.Seeded settings = this.settings.of(folder);
    RunSummary summary = RunSummary.of(folder, settings, clock.millis());
    Known now = new Known(stamps, settings.settings(), summary);
    known.put(folder.id(), now);
    return now;
  }

  /** The metrics of a run, up to date. */
  RunSeries data(RunFiles folder) {
    RunSeries data;
    synchronized (loaded) {
      data = loaded.get(folder.id());
      if (data == null || !data.folder().equals(folder)) {
        data = new RunSeries(folder, metric -> true);
        loaded.put(folder.id(), data);
      }
    }
    data.poll();
    synchronized (loaded) {
      forgetOldest(loaded, folder.id(), RunSeries::size, MOST_VALUES);
    }
    return data;
  }

  /** Lines of some metrics for a comparison: from memory, or read without keeping the others. */
  RunSeries.Lines lines(RunFiles folder, List<String> metrics, int points) {
    RunSeries data;
    synchronized (loaded) {
      data = loaded.get(folder.id());
    }
    if (data != null && data.folder().equals(folder)) {
      data.poll();
      return data.series(metrics, points);
    }
    LinesKey key = new LinesKey(folder.id(), metrics, points);
    List<Object> stamps = List.of(folder.stamp(RunFiles.METRICS), folder.stamp(RunFiles.CLOCK));
    synchronized (lines) {
      KnownLines before = lines.get(key);
      if (before != null && before.stamps().equals(stamps)) {
        return before.lines();
      }
    }
    RunSeries some = new RunSeries(folder, metrics::contains);
    some.poll();
    RunSeries.Lines read = some.series(metrics, points);
    synchronized (lines) {
      lines.put(key, new KnownLines(stamps, read));
      forgetOldest(lines, key, entry -> entry.lines().points(), MOST_POINTS);
    }
    return read;
  }

  /** Removes what was used least recently, but not the newest, until the rest is small enough. */
  private static <K, V> void forgetOldest(
      Map<K, V> cache, K newest, Function<V, Number> size, long most) {
    long[] sum = {cache.values().stream().mapToLong(one -> size.apply(one).longValue()).sum()};
    cache
        .entrySet()
        .removeIf(
            entry -> {
              if (sum[0] <= most || entry.getKey().equals(newest)) {
                return false;
              }
              sum[0] -= size.apply(entry.getValue()).longValue();
              return true;
            });
  }
}
