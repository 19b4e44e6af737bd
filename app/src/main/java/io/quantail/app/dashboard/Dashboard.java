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
import java.util.Map;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Runs in a browser: a small web server that reads run directories and never writes.
 *
 * <p>{@code docs/dashboard.md} says what it shows and whom it lets in.
 */
public final class Dashboard implements AutoCloseable {
  private static final String PAGE = "/io/quantail/app/dashboard/page";
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0";
  private static final int MOST_THREADS = 16;
  private static final int COMPRESSION = 4;

  private final Javalin server;
  private final Watcher watcher;
  private final EventStreams streams;
  private final DashboardOptions options;

  private Dashboard(
      Javalin server, Watcher watcher, EventStreams streams, DashboardOptions options) {
    this.server = server;
    this.watcher = watcher;
    this.streams = streams;
    this.options = options;
  }

  /**
   * Starts to answer.
   *
   * @throws UncheckedIOException when the directory cannot be read or the port is taken
   */
  public static Dashboard start(DashboardOptions options) {
    EventStreams streams = new EventStreams();
    RunStore store;
    try {
      store = new RunStore(options.runs(), Clock.systemUTC());
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + options.runs(), failure);
    }
    ObjectMapper json = Json.MAPPER;
    Api api = new Api(store, json);
    Rehearsal.ofAnswers(api);
    Javalin server = server(options, api, json, streams);
    try {
      server.start(options.host(), options.port());
    } catch (JavalinBindException taken) {
      server.stop();
      throw new UncheckedIOException(
          "cannot listen on %s port %d; choose another with --port"
              .formatted(options.host(), options.port()),
          new BindException(taken.getMessage()));
    }
    Rehearsal.ofRequests(options, server.port());
    return new Dashboard(server, new Watcher(store, streams), streams, options);
  }

  private static Javalin server(
      DashboardOptions options, Api api, ObjectMapper json, EventStreams streams) {
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
        (refusal, context) -> say(context, refusal.getStatus(), refusal.getMessage()));
    server.exception(
        IOException.class, (failure, context) -> say(context, 500, "the run cannot be read now"));
    server.exception(
        UncheckedIOException.class,
        (failure, context) -> say(context, 500, "the run cannot be read now"));
    return server;
  }

  private static void say(Context context, int status, String text) {
    context.status(status).contentType("text/plain;charset=utf-8").result(text + "\n");
  }

  /** Served by us: the server for files finds no type for a path without a name. */
  private static byte[] index() {
    try (InputStream page = Dashboard.class.getResourceAsStream(PAGE + "/index.html")) {
      return page.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read the page of the dashboard", failure);
    }
  }

  private static void configure(
      JavalinConfig config, DashboardOptions options, EventStreams streams) {
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

  /** Few, and none that keeps the process alive: whoever started the dashboard decides that. */
  private static QueuedThreadPool threads() {
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 4);
    threads.setName("quantail-dashboard");
    threads.setDaemon(true);
    return threads;
  }

  private static void guard(
      ServletContextHandler handler, DashboardOptions options, EventStreams streams) {
    FilterHolder gate = new FilterHolder(new Gate(options.host(), options.token()));
    gate.setAsyncSupported(true);
    handler.addFilter(gate, "/*", EnumSet.of(DispatcherType.REQUEST));
    ServletHolder events = new ServletHolder(streams);
    events.setAsyncSupported(true);
    handler.addServlet(events, "/api/events");
  }

  public int port() {
    return server.port();
  }

  /** What to open in a browser; with the token, if there is one. */
  public String url() {
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    String query =
        options.token() == null
            ? ""
            : "?token=" + URLEncoder.encode(options.token(), StandardCharsets.UTF_8);
    return "http://" + host + ":" + port() + "/" + query;
  }

  /** How many pages listen. */
  int listeners() {
    return streams.size();
  }

  /** Whether what is written to a run from now on is told to those who listen. */
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
