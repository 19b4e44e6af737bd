package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement({"DASH-1", "DASH-2"})
class DashboardHttpTest {
  @TempDir private Path directory;
  private DashboardServer dashboard;

  @BeforeEach
  void start() {
    new RunFixture(directory.resolve("one"))
        .begun("CartPole-v1", 100_000)
        .rows("train/loss", 10)
        .clock(1_000, 1, 10)
        .status(RunStatus.State.RUNNING, 10, Instant.now());
    new RunFixture(directory.resolve("broken"))
        .write("config.yaml", "{[")
        .write("metrics.csv", RunFixture.HEADER + "1,2048,a,1.0\nnonsense\n");
    new RunFixture(directory.resolve("empty")).begun("CartPole-v1", 100);
    new RunFixture(directory.resolve("no-run"));
    new PopulationFixture(directory.resolve("many")).begun(3, 4).generations(3, 2);
    dashboard = DashboardServer.start(new DashboardOptions(directory, "127.0.0.1", 0, null));
  }

  @AfterEach
  void stop() {
    dashboard.close();
  }

  @Test
  void shouldListRuns() throws IOException {
    JsonNode runs = json("/api/runs").path("runs");
    assertThat(runs.findValuesAsText("id")).containsExactly("broken", "empty", "one");
    assertThat(runs.findValuesAsText("state")).containsExactly("UNKNOWN", "EMPTY", "RUNNING");
  }

  @Test
  void shouldListAndDescribePopulations() throws IOException {
    JsonNode listed = json("/api/runs").path("populations");
    assertThat(listed.findValuesAsText("id")).containsExactly("many");
    assertThat(listed.get(0).path("done").asInt()).isEqualTo(6);
    JsonNode many = json("/api/population?population=many");
    assertThat(many.path("entries").findValuesAsText("source"))
        .containsExactly("-1", "-1", "-1", "0", "1", "0");
    assertThat(many.at("/best/score").asDouble()).isEqualTo(12);
    assertThat(many.at("/settings/hyperparameters/optimizer.schedule/values")).hasSize(2);
    assertThat(many.path("population")).isEqualTo(listed.get(0));
    for (String other : new String[] {"one", "no-run", "..", "many/best", ""}) {
      assertThat(
              RawHttpResponse.get(dashboard.port(), "/api/population?population=" + other).status())
          .as(other)
          .isEqualTo(404);
    }
    assertThat(RawHttpResponse.get(dashboard.port(), "/api/population").status()).isEqualTo(400);
  }

  /** The directory of one population: its best member is a run in it. */
  @Test
  void shouldShowAPopulationAlone() throws IOException {
    new RunFixture(directory.resolve("many/best")).begun("CartPole-v1", 100);
    try (DashboardServer alone =
        DashboardServer.start(
            new DashboardOptions(directory.resolve("many"), "127.0.0.1", 0, null))) {
      JsonNode listed =
          new ObjectMapper().readTree(RawHttpResponse.get(alone.port(), "/api/runs").body());
      assertThat(listed.path("populations").findValuesAsText("id")).containsExactly("many");
      assertThat(listed.path("runs").findValuesAsText("id")).containsExactly("many/best");
      assertThat(RawHttpResponse.get(alone.port(), "/api/population?population=many").status())
          .isEqualTo(200);
    }
  }

  @Test
  void shouldDescribeARun() throws IOException {
    JsonNode run = json("/api/run?run=one");
    assertThat(run.path("run").path("steps").asLong()).isEqualTo(20_480);
    assertThat(run.path("pace").path("stepsPerSecond").asDouble()).isEqualTo(2_048);
    assertThat(run.path("pace").path("elapsedSeconds").asDouble()).isEqualTo(10);
    assertThat(run.path("settings").path("risk").path("limit").asDouble()).isEqualTo(-0.5);
    assertThat(run.path("metrics").findValuesAsText("name"))
        .containsExactly("train/loss", "time/time_elapsed", "time/fps");
    assertThat(run.path("metrics").get(0).path("meaning").asText()).isEqualTo("mean total loss");
    assertThat(run.path("problems")).isEmpty();
  }

  @Test
  void shouldShowReadableFilesOfADamagedRun() throws IOException {
    JsonNode run = json("/api/run?run=broken");
    assertThat(run.path("problems"))
        .extracting(JsonNode::asText)
        .containsExactly(
            "1 line of metrics.csv is malformed and ignored; the first is line 3",
            "config.yaml cannot be read");
    assertThat(json("/api/series?run=broken&metric=a").path("series").path("a").path("y"))
        .hasSize(1);
  }

  @Test
  void shouldThinLongSeries() throws IOException {
    new RunFixture(directory.resolve("long")).rows("a", 10_000);
    JsonNode line = json("/api/series?run=long&metric=a&points=100").path("series").path("a");
    assertThat(line.path("x").size()).isBetween(90, 100);
    assertThat(
            json("/api/series?run=long&metric=a&points=999999")
                .path("series")
                .path("a")
                .path("x")
                .size())
        .isLessThanOrEqualTo(2_000);
  }

  @Test
  void shouldListSettingsThatAreNotTheDefault() throws IOException {
    JsonNode listing = json("/api/runs");
    JsonNode one = listing.path("runs").get(2);
    JsonNode settings = listing.path("settings").path(one.path("settings").asText());
    assertThat(settings.path("risk.limit").asText()).isEqualTo("-0.5");
    assertThat(settings.has("seed")).isFalse();
    assertThat(settings.has("training.steps")).isFalse(); // 100,000 is the default
    assertThat(listing.path("defaults").path("risk.limit").asText()).isEqualTo("null");
    assertThat(json("/api/run?run=one").path("defaults").path("risk.limit").asText())
        .isEqualTo("null");
  }

  /** Runs that differ in the seed alone have equal settings. */
  @Test
  void shouldGiveRunsWithEqualSettingsOneKey() throws IOException {
    String settings = "environment: {name: CartPole-v1}\ntraining: {steps: 7}\n";
    for (int seed = 1; seed <= 2; seed++) {
      new RunFixture(directory.resolve("equal-" + seed))
          .write("config.yaml", "seed: " + seed + "\n" + settings);
    }
    new RunFixture(directory.resolve("other"))
        .write("config.yaml", "seed: 1\n" + settings + "ppo: {epochs: 3}\n");
    JsonNode runs = json("/api/runs").path("runs");
    Map<String, JsonNode> byName = new HashMap<>();
    runs.forEach(run -> byName.put(run.path("id").asText(), run));
    String key = byName.get("equal-1").path("settings").asText();
    assertThat(byName.get("equal-2").path("settings").asText()).isEqualTo(key);
    assertThat(byName.get("other").path("settings").asText()).isNotEqualTo(key);
    assertThat(byName.get("equal-2").path("seed").asText()).isEqualTo("2");
  }

  @Test
  void shouldDescribeAStudyWithItsRuns() throws IOException {
    RunFixture sweep =
        new RunFixture(directory.resolve("sweep"))
            .begun("CartPole-v1", 100)
            .write("data.json", "{\"kind\": \"sweep\", \"grid\": {\"ppo.epochs\": [\"4\"]}}");
    new RunFixture(sweep.path().resolve("runs/seed-1")).begun("CartPole-v1", 100).rows("a", 2);
    JsonNode listed = json("/api/runs");
    assertThat(listed.path("studies").findValuesAsText("id")).containsExactly("sweep");
    assertThat(listed.path("runs").findValuesAsText("id")).contains("sweep/runs/seed-1");
    JsonNode study = json("/api/study?study=sweep");
    assertThat(study.at("/study/state").asText()).isEqualTo("RUNNING");
    assertThat(study.at("/study/runs").asInt()).isEqualTo(1);
    assertThat(study.at("/grid/ppo.epochs/0").asText()).isEqualTo("4");
    assertThat(study.path("result").isNull()).isTrue();
    sweep.write("results.json", "{\"points\": []}");
    study = json("/api/study?study=sweep");
    assertThat(study.at("/study/state").asText()).isEqualTo("FINISHED");
    assertThat(study.at("/result/points").isArray()).isTrue();
    assertThat(RawHttpResponse.get(dashboard.port(), "/api/study?study=one").status())
        .isEqualTo(404);
  }

  @Test
  void shouldSendLinesOfSeveralRuns() throws IOException {
    new RunFixture(directory.resolve("two")).rows("train/loss", 5);
    JsonNode lines = json("/api/lines?run=one&run=two&run=none&metric=train/loss&points=100");
    assertThat(lines.has("none")).isFalse();
    assertThat(lines.at("/one/series").path("train/loss").path("y")).hasSize(10);
    assertThat(lines.at("/two/series").path("train/loss").path("y")).hasSize(5);
    assertThat(lines.at("/two/seconds/x")).isEmpty(); // it has no clock.csv
    assertThat(lines.at("/one/updates/y")).hasSize(10);
    assertThat(lines.at("/one/seconds/y/9").asDouble()).isEqualTo(10);
    new RunFixture(directory.resolve("two")).rows("train/loss", 6);
    assertThat(
            json("/api/lines?run=two&metric=train/loss&points=100")
                .at("/two/series")
                .path("train/loss")
                .path("y"))
        .hasSize(6);
    assertThat(
            RawHttpResponse.get(dashboard.port(), "/api/lines?metric=a" + "&run=one".repeat(33))
                .status())
        .isEqualTo(400);
  }

  /** The part has all its points, and one on either side. */
  @Test
  void shouldSendAPartOfASeries() throws IOException {
    new RunFixture(directory.resolve("long")).rows("a", 10_000);
    long from = 5_000L * RunFixture.STEPS_PER_UPDATE;
    JsonNode line =
        json("/api/series?run=long&metric=a&points=100&from=" + from + "&to=" + (from + 20_480))
            .path("series")
            .path("a");
    assertThat(line.path("y")).hasSize(13);
    assertThat(line.at("/y/0").asDouble()).isEqualTo(4_999);
    assertThat(line.at("/y/12").asDouble()).isEqualTo(5_011);
    assertThat(
            RawHttpResponse.get(dashboard.port(), "/api/series?run=long&metric=a&from=-1").status())
        .isEqualTo(400);
  }

  @Test
  void shouldCompressResponsesAndSupportEntityTags() throws IOException {
    new RunFixture(directory.resolve("long")).rows("a", 1_000);
    for (String target :
        new String[] {
          "/api/series?run=long&metric=a", "/app.js", "/echarts-5.5.0/echarts.min.js"
        }) {
      RawHttpResponse packed =
          RawHttpResponse.get(dashboard.port(), target, "Accept-Encoding: gzip");
      assertThat(packed.header("content-encoding")).as(target).isEqualTo("gzip");
      assertThat(packed.body()).isEqualTo(RawHttpResponse.get(dashboard.port(), target).body());
      RawHttpResponse again =
          RawHttpResponse.get(
              dashboard.port(),
              target,
              "If-None-Match: " + packed.header("etag"),
              "Accept-Encoding: gzip");
      assertThat(again.status()).as(target).isEqualTo(304);
      assertThat(again.bytes()).isEmpty();
    }
  }

  /** The page works without a network: every file that it refers to is served. */
  @Test
  void shouldServeEveryFileThatThePageRefersTo() throws IOException {
    RawHttpResponse page = RawHttpResponse.get(dashboard.port(), "/");
    assertThat(page.header("content-type")).isEqualTo("text/html;charset=utf-8");
    List<String> names =
        Pattern.compile("(?:src|href)=\"([^\"#]+)\"")
            .matcher(page.body())
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(names).hasSizeGreaterThan(4).allMatch(name -> !name.contains("//"));
    for (String name : names) {
      String target = name.startsWith("/") ? name : "/" + name;
      assertThat(RawHttpResponse.get(dashboard.port(), target).status()).as(name).isEqualTo(200);
    }
  }

  /** Scripts of the page never insert text as markup. */
  @Test
  void shouldHaveNoScriptThatWritesMarkup() throws IOException {
    for (String name :
        new String[] {
          "app",
          "charts",
          "compare",
          "dom",
          "format",
          "lineage",
          "list",
          "pages",
          "panels",
          "population",
          "runs",
          "settings",
          "state",
          "states",
          "store",
          "study",
          "views"
        }) {
      String script = RawHttpResponse.get(dashboard.port(), "/" + name + ".js").body();
      assertThat(script)
          .doesNotContainPattern(
              "innerHTML|outerHTML|insertAdjacent|document\\.write|eval\\(|Function\\(|setAttribute\\('style|https?://(?!www\\.w3\\.org/2000/svg)");
    }
  }

  @Test
  void shouldShowASingleRun() throws IOException {
    try (DashboardServer single =
        DashboardServer.start(
            new DashboardOptions(directory.resolve("one"), "127.0.0.1", 0, null))) {
      assertThat(
              new ObjectMapper()
                  .readTree(RawHttpResponse.get(single.port(), "/api/runs").body())
                  .path("runs")
                  .findValuesAsText("id"))
          .containsExactly("one");
    }
  }

  @Test
  void shouldReportThatAPortIsInUse() {
    assertThatThrownBy(
            () ->
                DashboardServer.start(
                    new DashboardOptions(directory, "127.0.0.1", dashboard.port(), null)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "cannot listen on 127.0.0.1 port %d; choose another with --port", dashboard.port());
  }

  @Test
  void shouldContinueWhenRunsAreDeleted() throws IOException {
    json("/api/run?run=empty");
    try (var files = Files.newDirectoryStream(directory.resolve("empty"))) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(directory.resolve("empty"));
    assertThat(RawHttpResponse.get(dashboard.port(), "/api/run?run=empty").status()).isEqualTo(404);
    assertThat(json("/api/runs").path("runs")).hasSize(2);
  }

  private JsonNode json(String target) throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(dashboard.port(), target);
    assertThat(answer.status()).as(target).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }
}
