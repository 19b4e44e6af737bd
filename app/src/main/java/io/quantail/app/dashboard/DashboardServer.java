package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.staticfiles.Location;
import io.javalin.json.JavalinJackson;
import io.javalin.util.JavalinBindException;
import io.quantail.run.io.Json;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * A web server that shows runs in a browser. It reads run directories and never writes.
 *
 * <p>{@code docs/guides/watch.md} describes what it shows and who has access.
 */
public final class DashboardServer implements AutoCloseable {
  private static final String PAGE = "/io/quantail/app/dashboard/page";
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0";
  private static final int MOST_THREADS = 16;
  private static final int COMPRESSION = 4;

  private final Javalin server;
  private final RunWatcher watcher;
  private final EventBroadcaster streams;
  private final DashboardOptions options;

  private DashboardServer(
      Javalin server, RunWatcher watcher, EventBroadcaster streams, DashboardOptions options) {
    this.server = server;
    this.watcher = watcher;
    this.streams = streams;
    this.options = options;
  }

  /**
   * Starts the server.
   *
   * @throws UncheckedIOException if the directory cannot be read or the port is in use
   */
  public static DashboardServer start(DashboardOptions options) {
    EventBroadcaster streams = new EventBroadcaster();
    RunCache store;
    try {
      store = new RunCache(options.runs(), Clock.systemUTC());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + options.runs(), failure);
    }
    ObjectMapper json = Json.MAPPER;
    DashboardApi api = new DashboardApi(store, json);
    CacheWarmup.responses(api);
    Javalin server = server(options, api, json, streams);
    new ReportPages(store).register(server);
    try {
      server.start(options.host(), options.port());
    } catch (JavalinBindException taken) {
      server.stop();
      throw new UncheckedIOException(
          String.format(
              Locale.ROOT,
              "cannot listen on %s port %d; choose another with --port",
              options.host(),
              options.port()),
          new BindException(taken.getMessage()));
    }
    CacheWarmup.requests(options, server.port());
    return new DashboardServer(server, new RunWatcher(store, streams), streams, options);
  }

  private static Javalin server(
      DashboardOptions options, DashboardApi api, ObjectMapper json, EventBroadcaster streams) {
    Javalin server =
        Javalin.create(
            config -> {
              configure(config, options, streams);
              config.jsonMapper(new JavalinJackson(json, false));
            });
    api.register(server);
    byte[] index = index();
    server.get("/", context -> context.contentType("text/html;charset=utf-8").result(index));
    server.exception(
        HttpResponseException.class,
        (refusal, context) -> respond(context, refusal.getStatus(), refusal.getMessage()));
    server.exception(
        IOException.class,
        (failure, context) -> respond(context, 500, "the run cannot be read at the moment"));
    server.exception(
        UncheckedIOException.class,
        (failure, context) -> respond(context, 500, "the run cannot be read at the moment"));
    return server;
  }

  private static void respond(Context context, int status, @Nullable String text) {
    context.status(status).contentType("text/plain;charset=utf-8").result(text + "\n");
  }

  /** The start page; the static file handler finds no content type for a path without a name. */
  private static byte[] index() {
    try (InputStream page = DashboardServer.class.getResourceAsStream(PAGE + "/index.html")) {
      return page.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the page of the dashboard", failure);
    }
  }

  private static void configure(
      JavalinConfig config, DashboardOptions options, EventBroadcaster streams) {
    config.showJavalinBanner = false;
    config.startupWatcherEnabled = false;
    config.http.generateEtags = true;
    config.http.gzipOnlyCompression(COMPRESSION);
    config.jetty.threadPool = threads();
    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
    config.jetty.modifyServletContextHandler(handler -> guard(handler, options, streams));
    config.staticFiles.add(
        files -> {
          files.directory = PAGE;
          files.location = Location.CLASSPATH;
          files.precompress = true;
          files.headers = Map.of("Cache-Control", "no-cache");
        });
    config.staticFiles.add(
        files -> {
          files.hostedPath = "/echarts-5.5.0";
          files.directory = ECHARTS;
          files.location = Location.CLASSPATH;
          files.precompress = true;
          files.headers = Map.of("Cache-Control", "private, max-age=31536000, immutable");
        });
  }

  /** Few daemon threads: the caller decides how long the process lives. */
  private static QueuedThreadPool threads() {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 4);
    threads.setName("quantail-dashboard");
    threads.setDaemon(true);
    return threads;
  }

  private static void guard(
      ServletContextHandler handler, DashboardOptions options, EventBroadcaster streams) {
    FilterHolder gate = new FilterHolder(new RequestFilter(options.host(), options.token()));
    gate.setAsyncSupported(true);
    handler.addFilter(gate, "/*", EnumSet.of(DispatcherType.REQUEST));
    ServletHolder events = new ServletHolder(streams);
    events.setAsyncSupported(true);
    handler.addServlet(events, "/api/events");
  }

  /** The port that the server listens on. */
  public int port() {
    return server.port();
  }

  /** The address to open in a browser, with the token if there is one. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    String query =
        options.token() == null
            ? ""
            : "?token=" + URLEncoder.encode(options.token(), StandardCharsets.UTF_8);
    return "http://" + host + ":" + port() + "/" + query;
  }

  /** Number of connected event clients. */
  int listeners() {
    return streams.size();
  }

  /** Whether rows written to a run from now on are sent to clients. */
  boolean watches(String run) {
    return watcher.watches(run);
  }

  @Override
  public void close() {
    watcher.close();
    streams.close();
    server.stop();
  }
}
