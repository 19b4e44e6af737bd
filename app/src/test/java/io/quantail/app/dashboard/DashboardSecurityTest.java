package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.report.ReportPolicy;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement({"DASH-1", "DASH-2"})
class DashboardSecurityTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String SECRET = "nobody may read this";
  private static final String SCRIPT = "<img src=x onerror=alert(1)>";

  @TempDir private static Path directory;
  private static DashboardServer open;
  private static DashboardServer guarded;

  @BeforeAll
  static void start() throws IOException {
    Path runs = Files.createDirectory(directory.resolve("runs"));
    new RunFixture(runs.resolve("good")).begun(SCRIPT, 1_000).rows("a", 3);
    new RunFixture(runs.resolve(SCRIPT.replace('/', '_'))).begun("x", 1_000).rows(SCRIPT, 3);

    Path outside = Files.createDirectory(directory.resolve("outside"));
    new RunFixture(outside).begun(SECRET, 1).rows(SECRET.replace(' ', '_'), 1);
    Files.createSymbolicLink(runs.resolve("link"), outside);
    RunFixture linked = new RunFixture(runs.resolve("linked-files")).begun("x", 1);
    Files.createSymbolicLink(linked.path().resolve("metrics.csv"), outside.resolve("metrics.csv"));
    Files.createSymbolicLink(linked.path().resolve("result.json"), outside.resolve("run.json"));
    Files.writeString(outside.resolve("equity.csv"), SECRET);
    Files.createSymbolicLink(linked.path().resolve("equity.csv"), outside.resolve("equity.csv"));
    Files.createSymbolicLink(linked.path().resolve("tensorboard"), outside);
    new PopulationFixture(outside.resolve("population")).begun(3, 1).line(SECRET);
    Files.createSymbolicLink(runs.resolve("linked-population"), outside.resolve("population"));
    Files.writeString(outside.resolve("report.html"), SECRET);
    Files.createSymbolicLink(linked.path().resolve("report.html"), outside.resolve("report.html"));
    new RunFixture(runs.resolve("good"))
        .write("report.html", "<!doctype html><p>" + SCRIPT)
        .write("notes.html", SECRET)
        .write(
            "report-own.html",
            "<meta http-equiv=\"Content-Security-Policy\" " + ReportPolicy.META + "><p>own");
    PopulationFixture half = new PopulationFixture(runs.resolve("half")).begun(3, 1);
    Files.delete(half.path().resolve("population.json"));
    Files.createSymbolicLink(
        half.path().resolve("population.json"), outside.resolve("population/population.json"));

    open = DashboardServer.start(new DashboardOptions(runs, "127.0.0.1", 0, null));
    guarded = DashboardServer.start(new DashboardOptions(runs, "0.0.0.0", 0, TOKEN));
  }

  @AfterAll
  static void stop() {
    open.close();
    guarded.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/app.js", "/api/runs", "/api/run?run=nothing", "/nothing"})
  void shouldSetSecurityHeaders(String target) throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(open.port(), target);
    assertThat(answer.header("content-security-policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.header("referrer-policy")).isEqualTo("no-referrer");
    assertThat(answer.header("x-frame-options")).isEqualTo("DENY");
    assertThat(answer.header("server")).isNull();
    assertThat(answer.header("access-control-allow-origin")).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "localhost:9999, 200",
    "127.0.0.1, 200",
    "[::1]:80, 200",
    "10.0.0.7, 200",
    "evil.example, 403",
    "localhost.evil.example, 403",
    "127.0.0.1.evil.example:80, 403",
    "127.0.0.1@evil.example, 403"
  })
  void shouldAcceptOnlyItsOwnHostNames(String host, int status) throws IOException {
    int answered = RawHttpResponse.get(open.port(), "/api/runs", "Host: " + host).status();
    if (status == 200) {
      assertThat(answered).isEqualTo(200);
    } else {
      assertThat(answered).isBetween(400, 499);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"})
  void shouldRefuseMethodsThatWrite(String method) throws IOException {
    for (String target : new String[] {"/", "/api/runs", "/api/events", "/app.js"}) {
      RawHttpResponse answer =
          RawHttpResponse.send(open.port(), method, target, "Content-Length: 0");
      assertThat(answer.status()).as(target).isEqualTo(405);
      assertThat(answer.header("allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void shouldAnswerHeadWithoutABody() throws IOException {
    for (String target : new String[] {"/", "/api/runs", "/api/events", "/app.js"}) {
      RawHttpResponse answer = RawHttpResponse.send(open.port(), "HEAD", target);
      assertThat(answer.status()).as(target).isEqualTo(200);
      assertThat(answer.bytes()).isEmpty();
    }
    assertThat(open.listeners()).isZero();
  }

  @Test
  void shouldRefuseRequestsFromOtherOrigins() throws IOException {
    for (String site : new String[] {"cross-site", "same-site"}) {
      assertThat(RawHttpResponse.get(open.port(), "/api/runs", "Sec-Fetch-Site: " + site).status())
          .isEqualTo(403);
      assertThat(
              RawHttpResponse.get(open.port(), "/api/events", "Sec-Fetch-Site: " + site).status())
          .isEqualTo(403);
    }
    assertThat(
            RawHttpResponse.get(open.port(), "/api/runs", "Sec-Fetch-Site: same-origin").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../outside/run.json", "/..%2foutside%2frun.json", "/%2e%2e/outside/run.json",
        "/%252e%252e%252foutside/run.json", "/..\\outside\\run.json", "/..;/outside/run.json",
        "//outside/run.json", "/page/../../outside/run.json",
            "/echarts-5.5.0/../../outside/run.json",
        "/echarts-5.5.0/%2e%2e/%2e%2e/outside/run.json", "/app.js%00.html",
            "/./././../outside/run.json",
        "/META-INF/MANIFEST.MF", "/io/quantail/app/Main.class", "/..%c0%afoutside/run.json"
      })
  void shouldServeOnlyItsOwnFiles(String target) throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(open.port(), target);
    assertThat(answer.status()).isBetween(400, 499);
    assertThat(answer.body()).doesNotContain(SECRET, "Manifest-Version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside",
        "..%2foutside",
        "good/../../outside",
        "link",
        ".",
        "..",
        "",
        "/",
        "%00",
        "..%5coutside",
        "linked-files/../link",
        "good%00",
        "%2e%2e",
        "runs"
      })
  void shouldFindRunsByNameOnly(String run) throws IOException {
    for (String path : new String[] {"run", "series", "alerts", "equity"}) {
      RawHttpResponse answer =
          RawHttpResponse.get(
              open.port(), "/api/" + path + "?metric=nobody_may_read_this&run=" + run);
      assertThat(answer.status()).as(path).isIn(400, 404);
      assertThat(answer.body()).doesNotContain("nobody");
    }
    for (String kind : new String[] {"population", "study"}) {
      assertThat(
              RawHttpResponse.get(open.port(), "/api/%s?%s=%s".formatted(kind, kind, run)).status())
          .isIn(400, 404);
    }
    assertThat(
            RawHttpResponse.get(open.port(), "/api/lines?metric=nobody_may_read_this&run=" + run)
                .body())
        .doesNotContain("nobody");
  }

  @Test
  void shouldNotFollowLinksOutOfTheRuns() throws IOException {
    assertThat(RawHttpResponse.get(open.port(), "/api/runs").body())
        .doesNotContain(SECRET, "\"link\"");
    for (String query :
        new String[] {"run?", "series?metric=nobody_may_read_this&", "equity?", "alerts?"}) {
      RawHttpResponse answer =
          RawHttpResponse.get(open.port(), "/api/" + query + "run=linked-files");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).doesNotContain("nobody");
    }
    for (String population : new String[] {"linked-population", "../outside/population"}) {
      assertThat(
              RawHttpResponse.get(open.port(), "/api/population?population=" + population).status())
          .isEqualTo(404);
    }
    assertThat(RawHttpResponse.get(open.port(), "/api/population?population=half").body())
        .contains("\"settings\":null");
  }

  /** A page that this build did not write runs as one of another site, and loads nothing. */
  @Test
  void shouldServeReportsOfOthersInASandbox() throws IOException {
    RawHttpResponse foreign = RawHttpResponse.get(open.port(), "/reports/good/report.html");
    assertThat(foreign.status()).isEqualTo(200);
    assertThat(foreign.header("content-type")).isEqualTo("text/html;charset=utf-8");
    assertThat(foreign.header("content-security-policy"))
        .contains("sandbox allow-scripts", "default-src 'none'", "frame-ancestors 'none'")
        .doesNotContain("allow-same-origin", "connect-src");
    assertThat(foreign.header("x-content-type-options")).isEqualTo("nosniff");
    RawHttpResponse own = RawHttpResponse.get(open.port(), "/reports/good/report-own.html");
    assertThat(own.header("content-security-policy"))
        .startsWith(ReportPolicy.POLICY)
        .contains("frame-ancestors 'none'")
        .doesNotContain("script-src 'unsafe-inline'", "sandbox");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "good/notes.html",
        "good/config.yaml",
        "good/run.json",
        "good/",
        "good",
        "linked-files/report.html",
        "link/report.html",
        "../outside/report.html",
        "..%2foutside/report.html",
        "good/..%2f..%2foutside/report.html",
        "good/../../outside/report.html",
        "%2e%2e/outside/report.html",
        "good//report.html",
        "good/report.html%00",
        "report.html",
        "/report.html"
      })
  void shouldServeReportsOfRunsOnly(String page) throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(open.port(), "/reports/" + page);
    assertThat(answer.status()).isBetween(400, 499);
    assertThat(answer.body()).doesNotContain(SECRET, "nobody");
  }

  /** Texts of users are served as JSON, never as a page; a browser test checks their display. */
  @Test
  void shouldServeScriptsInNamesAsData() throws IOException {
    for (String target : new String[] {"/api/runs", "/api/run?run=good"}) {
      RawHttpResponse answer = RawHttpResponse.get(open.port(), target);
      assertThat(answer.header("content-type")).isEqualTo("application/json");
      assertThat(new ObjectMapper().readTree(answer.body()).toString()).contains(SCRIPT);
    }
    RawHttpResponse refused =
        RawHttpResponse.get(open.port(), "/api/run?run=%3Cscript%3Ealert(1)%3C/script%3E");
    assertThat(refused.header("content-type")).startsWith("text/plain");
    assertThat(refused.body()).doesNotContain("script");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/series?run=good",
        "/api/series?run=good&metric=a&points=x",
        "/api/series?run=good&metric=a&points=-5",
        "/api/series?run=good&metric=a&points=3",
        "/api/run"
      })
  void shouldRefuseInvalidParameters(String target) throws IOException {
    assertThat(RawHttpResponse.get(open.port(), target).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/app.js",
        "/api/runs",
        "/api/events",
        "/reports/good/report.html",
        "/?token=wrong",
        "/?token="
      })
  void shouldRequireTheToken(String target) throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(guarded.port(), target);
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.body()).contains("token is required").doesNotContain(TOKEN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0123456789abcdeF", "0123456789abcde", "0123456789abcdef0", ""})
  void shouldRefuseAWrongToken(String wrong) throws IOException {
    assertThat(status("/api/runs", "Authorization: Bearer " + wrong)).isEqualTo(401);
    assertThat(status("/?token=" + wrong)).isEqualTo(401);
    assertThat(status("/api/runs", "Cookie: quantail-dashboard-" + guarded.port() + "=" + wrong))
        .isEqualTo(401);
    assertThat(status("/api/runs", "Cookie: quantail-dashboard-" + guarded.port() + "=" + TOKEN))
        .isEqualTo(401);
  }

  @Test
  void shouldReplaceTheTokenInTheAddressByACookie() throws IOException {
    RawHttpResponse answer = RawHttpResponse.get(guarded.port(), "/?token=" + TOKEN);
    assertThat(answer.status()).isEqualTo(303);
    assertThat(answer.header("location")).isEqualTo("/");
    assertThat(answer.header("set-cookie"))
        .endsWith("; Path=/; HttpOnly; SameSite=Strict")
        .doesNotContain(TOKEN);
    String cookie = answer.header("set-cookie").split(";")[0];
    assertThat(status("/", "Cookie: " + cookie)).isEqualTo(200);
    assertThat(status("/api/runs", "Cookie: other=1; " + cookie)).isEqualTo(200);
    assertThat(status("/api/runs", "Authorization: Bearer " + TOKEN)).isEqualTo(200);
    assertThat(guarded.url()).endsWith("/?token=" + TOKEN);
  }

  @Test
  void shouldNotListenOnOtherAddressesWithoutAToken() {
    assertThatThrownBy(() -> new DashboardOptions(directory, "0.0.0.0", 0, null))
        .hasMessage(
            "--host 0.0.0.0 lets other machines read the runs; add --token, or omit --host");
    assertThatThrownBy(() -> new DashboardOptions(directory, "::", 0, null))
        .hasMessageContaining("--token");
    assertThatThrownBy(() -> new DashboardOptions(directory, "0.0.0.0", 0, "short"))
        .hasMessageContaining("at least 16");
    assertThatThrownBy(
            () -> new DashboardOptions(directory, "0.0.0.0", 0, "has a blank in it ...."))
        .hasMessageContaining("without spaces");
    assertThat(new DashboardOptions(directory, "::1", 0, null).host()).isEqualTo("::1");
  }

  private static int status(String target, String... headers) throws IOException {
    return RawHttpResponse.get(guarded.port(), target, headers).status();
  }
}
