package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.Javalin;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.quantail.run.RunLayout;
import io.quantail.run.health.AlertHistory;
import io.quantail.study.population.JournalEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP interface of the page, in JSON. The run is a query parameter, not a part of the path.
 *
 * <p>{@code /api/runs}; and with {@code ?run=ID}: {@code /api/run} (description), {@code
 * /api/series} ({@code &metric=} up to {@value #MOST_METRICS} times, {@code &points=}, {@code
 * &from=}, {@code &to=}), {@code /api/alerts}, {@code /api/equity} ({@code &part=}); {@code
 * /api/lines} with several {@code run=} and {@code metric=}; {@code /api/study?study=ID} and {@code
 * /api/population?population=ID}.
 */
final class DashboardApi {
  private static final int MOST_METRICS = 64;
  private static final int MOST_COMPARED = 32; // runs of one request; the page sends several
  private static final int MOST_ALERTS = 500;
  private static final int MOST_POINTS = 2_000;
  private static final int FEWEST_POINTS = 4;

  private static final int USUAL_POINTS = 1_200; // requested by the page
  private static final int USUAL_METRICS = 20;

  private final RunCache store;
  private final ObjectMapper mapper;

  /**
   * @param study its summary
   * @param settings that differ from their defaults, by path
   * @param grid values of the settings in which its agents differ, by path
   * @param result content of its result file; null while it is not finished
   * @param evidence content of {@code evidence.json}; null if it has none
   * @param reports names of its pages
   */
  private record Study(
      StudySummary study,
      Map<String, String> settings,
      @Nullable JsonNode grid,
      @Nullable JsonNode result,
      @Nullable JsonNode evidence,
      List<String> reports) {}

  /**
   * @param population its summary
   * @param settings as a tree; null if unknown
   * @param seed as text
   * @param entries result of each member in each generation
   * @param best entry with the highest score; null if none has a score
   * @param reports names of its pages
   * @param problems with its files, as sentences
   */
  private record Population(
      PopulationSummary population,
      @Nullable JsonNode settings,
      String seed,
      List<JournalEntry> entries,
      @Nullable JournalEntry best,
      List<String> reports,
      List<String> problems) {}

  /**
   * @param run its summary
   * @param pace its speed and training time
   * @param metrics it has recorded
   * @param settings as a tree
   * @param defaults of the settings that differ from them, by path; empty if there is none
   * @param versions of the software that started it
   * @param started start time as text
   * @param result content of {@code result.json}; null if it has none
   * @param ledger how often the evaluated bars were evaluated, when this run was; null if unknown
   * @param parts of the market data that were backtested
   * @param reports names of its pages
   * @param problems with its files, as sentences
   */
  private record Run(
      RunSummary run,
      RunSeries.Pace pace,
      List<RunSeries.MetricInfo> metrics,
      @Nullable JsonNode settings,
      Map<String, String> defaults,
      @Nullable JsonNode versions,
      String started,
      @Nullable JsonNode result,
      @Nullable JsonNode ledger,
      List<String> parts,
      List<String> reports,
      List<String> problems) {}

  DashboardApi(RunCache store, ObjectMapper mapper) {
    this.store = store;
    this.mapper = mapper;
  }

  /** Computes what the first page requests about the newest run, to fill the caches. */
  void warmUp() {
    try {
      mapper.writeValueAsBytes(store.listing());
      Optional<RunFiles> first = store.newest();
      if (first.isPresent()) {
        Run run = run(first.get());
        mapper.writeValueAsBytes(run);
        List<String> some =
            run.metrics().stream().map(RunSeries.MetricInfo::name).limit(USUAL_METRICS).toList();
        mapper.writeValueAsBytes(store.data(first.get()).series(some, USUAL_POINTS));
      }
    } catch (IOException | UncheckedIOException unreadable) {
      // a client that requests it gets the error
    }
  }

  void register(Javalin server) {
    server.get("/api/runs", context -> json(context, store.listing()));
    server.get("/api/run", context -> json(context, run(folder(context))));
    server.get("/api/series", this::series);
    server.get("/api/alerts", context -> json(context, alerts(folder(context))));
    server.get("/api/equity", this::equity);
    server.get("/api/lines", this::lines);
    server.get("/api/study", context -> json(context, study(context)));
    server.get("/api/population", context -> json(context, population(context)));
  }

  private Study study(Context context) {
    RunFiles folder =
        store
            .findStudy(parameter(context, "study"))
            .orElseThrow(() -> new NotFoundResponse("there is no such study"));
    StudySummary summary =
        store.listing().studies().stream()
            .filter(study -> study.id().equals(folder.id()))
            .findFirst()
            .orElseThrow(() -> new NotFoundResponse("there is no such study"));
    return new Study(
        summary,
        store.settings(folder).changed(),
        object(folder.document(RunFiles.STUDY).path("grid")),
        object(folder.document(StudySummary.resultFile(summary.kind()))),
        object(folder.document(RunFiles.EVIDENCE)),
        ReportPages.names(folder));
  }

  private static @Nullable JsonNode object(JsonNode node) {
    return node.isObject() ? node : null;
  }

  /** Defaults of the settings that differ from them; empty texts for those without one. */
  private Map<String, String> defaults(RunFiles folder) {
    RunSettings settings = store.settings(folder);
    Map<String, String> defaults = new TreeMap<>();
    settings
        .changed()
        .keySet()
        .forEach(path -> defaults.put(path, settings.defaults().getOrDefault(path, "")));
    return defaults;
  }

  /** Members of populations have metrics alone. */
  private static boolean isMember(RunFiles folder) {
    return folder.id().contains("/" + RunLayout.MEMBERS + "/");
  }

  private Population population(Context context) {
    RunFiles folder =
        store
            .findPopulation(parameter(context, "population"))
            .orElseThrow(() -> new NotFoundResponse("there is no such population"));
    PopulationJournalView log = PopulationJournalView.of(folder);
    return new Population(
        PopulationSummary.of(folder, log, store.nowMillis()),
        log.settings(),
        log.seed(),
        log.entries(),
        log.best(),
        ReportPages.names(folder),
        log.problems());
  }

  private Run run(RunFiles folder) {
    RunSeries data = store.data(folder);
    JsonNode start = folder.document(RunFiles.RUN);
    JsonNode settings = folder.settings();
    List<String> problems = new ArrayList<>(data.problems());
    if (!settings.isObject() && !isMember(folder)) {
      problems.add("%s cannot be read".formatted(RunFiles.CONFIG));
    }
    int unreadable = folder.alerts().unreadable();
    if (unreadable > 0) {
      problems.add(
          String.format(
              Locale.ROOT,
              "%d lines of %s are malformed and ignored",
              unreadable,
              RunFiles.ALERTS));
    }
    JsonNode result = folder.document(RunFiles.RESULT);
    return new Run(
        store.summary(folder),
        data.pace(),
        data.metrics(),
        settings.isObject() ? settings : null,
        defaults(folder),
        start.path("versions").isObject() ? start.path("versions") : null,
        start.path("started").asText(folder.document(RunFiles.STATUS).path("started").asText("")),
        result.isObject() ? result : null,
        ledger(folder, result),
        EquityCsv.parts(folder),
        ReportPages.names(folder),
        problems);
  }

  private static @Nullable JsonNode ledger(RunFiles folder, JsonNode result) {
    String part = result.at("/evaluation/split").asText("test");
    JsonNode evidence =
        folder.document(part.equals("test") ? RunFiles.EVIDENCE : RunFiles.VALIDATION_EVIDENCE);
    return evidence.path("ledger").isObject() ? evidence.path("ledger") : null;
  }

  private AlertHistory alerts(RunFiles folder) {
    AlertHistory all = folder.alerts();
    List<AlertHistory.Past> newest = new ArrayList<>(all.alerts());
    Collections.reverse(newest);
    return new AlertHistory(
        newest.subList(0, Math.min(MOST_ALERTS, newest.size())), all.unreadable());
  }

  private void series(Context context) {
    List<String> metrics = metrics(context);
    RunSeries data = store.data(folder(context));
    long from = steps(context, "from", 0);
    json(
        context, data.series(metrics, points(context), from, steps(context, "to", Long.MAX_VALUE)));
  }

  private static long steps(Context context, String name, long usual) {
    String text = context.queryParam(name);
    if (text == null) {
      return usual;
    }
    if (!text.matches("\\d{1,18}")) {
      throw new BadRequestResponse(name + " must be a whole number of steps from 0");
    }
    return Long.parseLong(text);
  }

  /** The same for several runs; a run that does not exist has no entry. */
  private void lines(Context context) {
    List<String> runs = context.queryParams("run");
    if (runs.isEmpty() || runs.size() > MOST_COMPARED) {
      throw new BadRequestResponse(
          String.format(
              Locale.ROOT,
              "run must be given 1 to %d times, was given %d times",
              MOST_COMPARED,
              runs.size()));
    }
    List<String> metrics = metrics(context);
    int points = points(context);
    Map<String, RunSeries.Lines> found = new ConcurrentHashMap<>();
    runs.parallelStream()
        .forEach(
            id ->
                store
                    .find(id)
                    .ifPresent(folder -> found.put(id, store.lines(folder, metrics, points))));
    json(context, new TreeMap<>(found));
  }

  private static List<String> metrics(Context context) {
    List<String> metrics = context.queryParams("metric");
    if (metrics.isEmpty() || metrics.size() > MOST_METRICS) {
      throw new BadRequestResponse(
          String.format(
              Locale.ROOT,
              "metric must be given 1 to %d times, was given %d times",
              MOST_METRICS,
              metrics.size()));
    }
    return metrics;
  }

  private void equity(Context context) throws IOException {
    String part = context.queryParam("part");
    json(context, EquityCsv.read(folder(context), part == null ? "" : part, points(context)));
  }

  private RunFiles folder(Context context) {
    return store
        .find(parameter(context, "run"))
        .orElseThrow(() -> new NotFoundResponse("there is no such run"));
  }

  private static String parameter(Context context, String name) {
    String value = context.queryParam(name);
    if (value == null) {
      throw new BadRequestResponse("the parameter " + name + " is missing");
    }
    return value;
  }

  private static int points(Context context) {
    String text = context.queryParam("points");
    if (text == null) {
      return MOST_POINTS;
    }
    if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < FEWEST_POINTS) {
      throw new BadRequestResponse("points must be a whole number from " + FEWEST_POINTS);
    }
    return Math.min(MOST_POINTS, Integer.parseInt(text));
  }

  /** The server adds an entity tag, so that an unchanged response is not sent again. */
  private static void json(Context context, Object value) {
    context.header("Cache-Control", "no-cache");
    context.json(value);
  }
}
