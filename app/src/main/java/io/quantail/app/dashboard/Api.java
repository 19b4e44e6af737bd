package io.quantail.app.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import io.javalin.Javalin;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the page asks for, as JSON. The run is a parameter of the query, not a part of the path.
 *
 * <p>{@code /api/runs}; and with {@code ?run=ID}: {@code /api/run} (what it is), {@code
 * /api/series} ({@code &metric=} up to {@value #MOST_METRICS} times, {@code &points=}), {@code
 * /api/alerts}, {@code /api/equity} ({@code &part=}).
 */
final class Api {
  private static final int MOST_METRICS = 64;
  private static final int MOST_POINTS = 2_000;
  private static final int FEWEST_POINTS = 4;

  private final RunStore store;

  /**
   * @param name of the directory
   * @param runs in it
   */
  private record Runs(String name, List<RunSummary> runs) {}

  /**
   * @param run its summary
   * @param pace how fast it is
   * @param metrics it has
   * @param settings as a tree
   * @param versions it was started with
   * @param started when, as text
   * @param result what it ended with; null if it has not
   * @param parts of the market that it was judged on
   * @param problems for people
   */
  private record Run(
      RunSummary run,
      RunData.Pace pace,
      List<RunData.MetricInfo> metrics,
      JsonNode settings,
      JsonNode versions,
      String started,
      JsonNode result,
      List<String> parts,
      List<String> problems) {}

  Api(RunStore store) {
    this.store = store;
  }

  void register(Javalin server) {
    server.get("/api/runs", context -> json(context, new Runs(store.name(), store.summaries())));
    server.get("/api/run", context -> json(context, run(folder(context))));
    server.get("/api/series", this::series);
    server.get("/api/alerts", context -> json(context, store.alerts(folder(context))));
    server.get("/api/equity", this::equity);
  }

  private Run run(RunFolder folder) {
    RunData data = store.data(folder);
    JsonNode start = folder.document(RunFolder.RUN);
    JsonNode settings = folder.settings();
    List<String> problems = new ArrayList<>(data.problems());
    if (!settings.isObject()) {
      problems.add("%s cannot be read".formatted(RunFolder.CONFIG));
    }
    int unreadable = store.alerts(folder).unreadable();
    if (unreadable > 0) {
      problems.add("%d lines of %s are no alerts".formatted(unreadable, RunFolder.ALERTS));
    }
    JsonNode result = folder.document(RunFolder.RESULT);
    return new Run(
        store.summary(folder),
        data.pace(),
        data.metrics(),
        settings.isObject() ? settings : null,
        start.path("versions").isObject() ? start.path("versions") : null,
        start.path("started").asText(""),
        result.isObject() ? result : null,
        EquityFile.parts(folder),
        problems);
  }

  private void series(Context context) {
    List<String> metrics = context.queryParams("metric");
    if (metrics.isEmpty() || metrics.size() > MOST_METRICS) {
      throw new BadRequestResponse(
          "give metric 1 to %d times, was given %d times".formatted(MOST_METRICS, metrics.size()));
    }
    RunData data = store.data(folder(context));
    json(context, data.series(metrics, points(context)));
  }

  private void equity(Context context) throws IOException {
    String part = context.queryParam("part");
    json(context, EquityFile.read(folder(context), part == null ? "" : part, points(context)));
  }

  private RunFolder folder(Context context) {
    String id = context.queryParam("run");
    if (id == null) {
      throw new BadRequestResponse("give run");
    }
    return store.find(id).orElseThrow(() -> new NotFoundResponse("there is no such run"));
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

  /** The server adds an entity tag, so that asking again for the same costs little. */
  private static void json(Context context, Object value) {
    context.header("Cache-Control", "no-cache");
    context.json(value);
  }
}
