package io.quantail.app.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.io.Json;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Looks at the files of the runs that somebody watches and tells what is new, in one thread of low
 * priority. It works only while somebody listens.
 *
 * <p>Messages: {@code rows} with new values, {@code reset} when a log must be read again, {@code
 * status} when a run's summary changes, {@code alerts} when its alerts do, {@code runs} when runs
 * come or go, {@code populations} when any population has changed. A message is written once,
 * however many listen.
 */
final class Watcher implements AutoCloseable {
  private static final long TICK_MILLIS = 400;
  private static final int TICKS_PER_LOOK = 4; // at the list of runs
  private static final int TICKS_PER_HEARTBEAT = 25;
  private static final int MOST_ROWS = 200; // more are better read at once
  private static final int MOST_RUNS = 16; // as many as the store keeps in memory
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final RunStore store;
  private final EventStreams streams;
  private final ScheduledExecutorService timer;
  private final Map<String, RunData.Mark> told = new ConcurrentHashMap<>();
  private volatile Map<String, RunSummary> summaries = Map.of();
  private List<PopulationSummary> populations = List.of();
  private long ticks;
  private boolean complained;

  /**
   * @param run its summary
   * @param pace null when nobody looks at the run
   */
  record Status(RunSummary run, RunData.Pace pace) {}

  Watcher(RunStore store, EventStreams streams) {
    this.store = store;
    this.streams = streams;
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "quantail-dashboard-watcher");
              thread.setDaemon(true);
              thread.setPriority(Thread.MIN_PRIORITY);
              return thread;
            });
    timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      ticks++;
      if (streams.isEmpty()) {
        told.clear();
        return;
      }
      if (ticks % TICKS_PER_HEARTBEAT == 0) {
        streams.tell(HEARTBEAT);
      }
      told.keySet().retainAll(streams.watched());
      streams.watched().stream().limit(MOST_RUNS).forEach(this::look);
      if (ticks % TICKS_PER_LOOK == 0) {
        lookAtList();
        lookAtPopulations();
      }
    } catch (RuntimeException defect) {
      // A scheduled task that throws is never run again; the next look may succeed.
      if (!complained) {
        complained = true;
        System.err.println("quantail: the dashboard could not look at the runs: " + defect);
      }
    }
  }

  private void look(String id) {
    Optional<RunFolder> folder = store.find(id);
    if (folder.isEmpty()) {
      told.remove(id);
      return;
    }
    RunData data;
    try {
      data = store.data(folder.get());
    } catch (UncheckedIOException unreadable) {
      return; // gone in between, or not readable now
    }
    RunData.Mark now = data.mark();
    RunData.Mark before = told.put(id, now);
    if (before == null || before.equals(now)) {
      return;
    }
    data.since(before, MOST_ROWS)
        .ifPresentOrElse(
            news -> streams.tell(id, message("rows", news)),
            () -> streams.tell(id, message("reset", Map.of("run", id))));
  }

  private void lookAtList() {
    Map<String, RunSummary> before = summaries;
    summaries =
        store.summaries().stream().collect(Collectors.toMap(RunSummary::id, Function.identity()));
    if (!before.keySet().equals(summaries.keySet())) {
      streams.tell(message("runs", Map.of()));
    }
    summaries.forEach(
        (id, summary) -> {
          RunSummary last = before.get(id);
          if (last != null && !last.equals(summary)) {
            streams.tell(message("status", new Status(summary, pace(id))));
            if (last.alertBytes() != summary.alertBytes()) {
              streams.tell(id, message("alerts", Map.of("run", id)));
            }
          }
        });
  }

  private void lookAtPopulations() {
    List<PopulationSummary> now = store.populations();
    if (!now.equals(populations)) {
      populations = now;
      streams.tell(message("populations", Map.of()));
    }
  }

  private RunData.Pace pace(String id) {
    try {
      return told.containsKey(id)
          ? store.find(id).map(folder -> store.data(folder).pace()).orElse(null)
          : null;
    } catch (UncheckedIOException unreadable) {
      return null; // gone in between, or not readable now
    }
  }

  /** Whether what is written to a run from now on is news. */
  boolean watches(String run) {
    return told.containsKey(run) && summaries.containsKey(run);
  }

  private static byte[] message(String event, Object content) {
    try {
      return EventStreams.message(event, Json.MAPPER.writeValueAsString(content));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
