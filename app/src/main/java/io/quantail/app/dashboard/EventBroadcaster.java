package io.quantail.app.dashboard;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends server-sent events to all connected clients; a client holds no thread.
 *
 * <p>See: WHATWG, HTML Living Standard, "Server-sent events".
 */
final class EventBroadcaster extends HttpServlet {
  private static final long serialVersionUID = 1L;
  static final int MOST_STREAMS = 256;
  private static final int MOST_RUNS = 16;
  private static final int RETRY_SECONDS = 10;

  private final transient Set<EventClient> streams = ConcurrentHashMap.newKeySet();

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (streams.size() >= MOST_STREAMS) {
      response.setHeader("Retry-After", Integer.toString(RETRY_SECONDS));
      RequestFilter.refuse(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          String.format(
              Locale.ROOT,
              "%d pages are connected, which is the limit; close some of them",
              MOST_STREAMS));
      return;
    }
    describe(response);
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    EventClient stream = new EventClient(context, runs(request), streams::remove);
    streams.add(stream);
    stream.offer(message("hello", "{}"));
    stream.start();
  }

  @Override
  protected void doHead(HttpServletRequest request, HttpServletResponse response) {
    describe(response);
  }

  private static void describe(HttpServletResponse response) {
    response.setContentType("text/event-stream;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Accel-Buffering", "no");
  }

  private static Set<String> runs(HttpServletRequest request) {
    Set<String> runs = new LinkedHashSet<>();
    String[] wanted = request.getParameterValues("run");
    for (int i = 0; wanted != null && i < wanted.length && runs.size() < MOST_RUNS; i++) {
      runs.add(wanted[i]);
    }
    return runs;
  }

  static byte[] message(String event, String json) {
    return ("event: " + event + "\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
  }

  boolean isEmpty() {
    return streams.isEmpty();
  }

  int size() {
    return streams.size();
  }

  /** The runs that at least one client follows. */
  Set<String> watched() {
    Set<String> runs = new HashSet<>();
    streams.forEach(stream -> runs.addAll(stream.runs()));
    return runs;
  }

  /** Sends a message to all clients. */
  void send(byte[] message) {
    streams.forEach(stream -> stream.offer(message));
  }

  /** Sends a message to the clients that follow a run. */
  void send(String run, byte[] message) {
    streams.stream()
        .filter(stream -> stream.runs().contains(run))
        .forEach(stream -> stream.offer(message));
  }

  void close() {
    streams.forEach(EventClient::close);
  }
}
