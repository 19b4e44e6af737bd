package io.quantail.app.dashboard;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.run.io.Json;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Polls the files of the runs that clients follow and sends what is new, in one thread of low
 * priority. It polls only while a client is connected.
 *
 * <p>Messages: {@code rows} with new values, {@code reset} if the metrics must be read again,
 * {@code status} if the summary of a run has changed, {@code alerts} if its alerts have, {@code
 * runs} if runs were added or removed, {@code studies} if a study or population has changed. A
 * message is encoded once for all clients.
 */
final class RunWatcher implements AutoCloseable {
  private static final long TICK_MILLIS = 400;
  private static final int TICKS_PER_LIST = 4; // per poll of the list of runs
  private static final int TICKS_PER_HEARTBEAT = 25;
  private static final int MOST_ROWS = 200; // beyond this number one request is cheaper
  private static final int MOST_RUNS = 16; // as many as the cache keeps in memory
  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final RunCache store;
  private final EventBroadcaster streams;
  private final ScheduledExecutorService timer;
  private final Map<String, RunSeries.Mark> sent = new ConcurrentHashMap<>();
  private volatile Map<String, RunSummary> summaries = Map.of();
  private List<Object> studies = List.of();
  private long ticks;
  private boolean warned;

  /**
   * @param run its summary
   * @param pace its speed; null if no client follows the run
   */
  record Status(RunSummary run, RunSeries.@Nullable Pace pace) {}

  // The priority only keeps training ahead of the watcher; tick() handles its own exceptions.
  @SuppressWarnings({"ThreadPriorityCheck", "FutureReturnValueIgnored"})
  RunWatcher(RunCache store, EventBroadcaster streams) {
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
        sent.clear();
        return;
      }
      if (ticks % TICKS_PER_HEARTBEAT == 0) {
        streams.send(HEARTBEAT);
      }
      sent.keySet().retainAll(streams.watched());
      streams.watched().stream().limit(MOST_RUNS).forEach(this::poll);
      if (ticks % TICKS_PER_LIST == 0) {
        pollList();
      }
    } catch (RuntimeException defect) {
      // A scheduled task that throws is not run again; the next poll may succeed.
      if (!warned) {
        warned = true;
        System.err.println("quantail: warning: the dashboard could not read the runs: " + defect);
      }
    }
  }

  private void poll(String id) {
    Optional<RunFiles> folder = store.find(id);
    if (folder.isEmpty()) {
      sent.remove(id);
      return;
    }
    RunSeries data;
    try {
      data = store.data(folder.get());
    } catch (UncheckedIOException unreadable) {
      return; // removed meanwhile, or not readable now
    }
    RunSeries.Mark now = data.mark();
    RunSeries.Mark before = sent.put(id, now);
    if (before == null || before.equals(now)) {
      return;
    }
    data.since(before, MOST_ROWS)
        .ifPresentOrElse(
            news -> streams.send(id, message("rows", news)),
            () -> streams.send(id, message("reset", Map.of("run", id))));
  }

  private void pollList() {
    RunCache.Listing listing = store.listing();
    Map<String, RunSummary> before = summaries;
    summaries =
        listing.runs().stream().collect(Collectors.toMap(RunSummary::id, Function.identity()));
    if (!before.keySet().equals(summaries.keySet())) {
      streams.send(message("runs", Map.of()));
    }
    summaries.forEach(
        (id, summary) -> {
          RunSummary last = before.get(id);
          if (last != null && !last.equals(summary)) {
            streams.send(message("status", new Status(summary, pace(id))));
            if (last.alertBytes() != summary.alertBytes()) {
              streams.send(id, message("alerts", Map.of("run", id)));
            }
          }
        });
    List<Object> now = new ArrayList<>(listing.studies());
    now.addAll(listing.populations());
    if (!now.equals(studies)) {
      studies = now;
      streams.send(message("studies", Map.of()));
    }
  }

  private RunSeries.@Nullable Pace pace(String id) {
    try {
      return sent.containsKey(id)
          ? store.find(id).map(folder -> store.data(folder).pace()).orElse(null)
          : null;
    } catch (UncheckedIOException unreadable) {
      return null; // removed meanwhile, or not readable now
    }
  }

  /** Whether rows written to a run from now on are sent to clients. */
  boolean watches(String run) {
    return sent.containsKey(run) && summaries.containsKey(run);
  }

  private static byte[] message(String event, Object content) {
    try {
      return EventBroadcaster.message(event, Json.MAPPER.writeValueAsString(content));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
