package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.MetricCatalogue;
import io.quantail.metrics.MetricDescription;
import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/** The page in a real browser. */
@Requirement("DASH-1")
class DashboardBrowserTest extends BrowserTestBase {
  private static final int UPDATES = 10_000;
  private static final int METRICS = 200;

  @TempDir private static Path directory;
  private static RunFixture growing;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    new RunFixture(runs.resolve("long"))
        .begun("Market-v0", 30_000_000)
        .large(metrics(), UPDATES)
        .clock(1_000, 1, UPDATES)
        .append("equity.csv", equity());
    growing =
        new RunFixture(runs.resolve("growing"))
            .begun(SCRIPT, 100_000)
            .rows("rollout/ep_rew_mean", 5);
    new RunFixture(runs.resolve("b " + SCRIPT.replace('/', '_')))
        .begun("x", 1_000)
        .rows(SCRIPT, 3)
        .append(
            "alerts.jsonl",
            "{\"update\":1,\"steps\":2048,\"rule\":\"%1$s\",\"severity\":\"error\",\"state\":\"raised\",\"seen\":\"%1$s\",\"why\":\"%1$s\",\"try\":\"%1$s\"}\n"
                .formatted(SCRIPT));
    new RunFixture(runs.resolve("overdue"))
        .begun("x", 1_000)
        .rows("a", 3)
        .status(RunStatus.State.RUNNING, 3, Instant.EPOCH);
    new PopulationFixture(runs.resolve("many")).begun(4, 4).generations(4, 2);
    serve(runs);
  }

  /** A new server must first read 1.5 million lines, which it then keeps. */
  @Test
  void shouldLoadALongRunQuickly() {
    browser.screen(1280, 800, false);
    StringBuilder times = new StringBuilder();
    try (DashboardServer fresh =
        DashboardServer.start(
            new DashboardOptions(directory.resolve("runs/long"), "127.0.0.1", 0, null))) {
      for (int load = 0; load < 3; load++) {
        browser.open(fresh.url());
        times.append(load == 0 ? "" : ", ").append(readyMillis());
      }
      assertThat(browser.text(".figures")).contains("10,000");
      assertThat(count(".plot canvas")).isGreaterThanOrEqualTo(6);
      browser.leave();
    }
    System.out.printf(
        "dashboard: a run of %d updates x %d metrics is on the screen %s ms after it is asked for"
            + " (the first right after the start of the server)%n",
        UPDATES, METRICS, times);
  }

  @Test
  void shouldShowANewRowWithinSeconds() {
    browser.screen(1280, 800, false);
    open("overview", "growing");
    Browser.await(() -> dashboard.watches("growing"), "the server to look at the run");
    growing.append("metrics.csv", RunFixture.line(6, "rollout/ep_rew_mean", 4_321));
    long written = System.nanoTime();
    browser.awaitTrue("return document.querySelector('.legend output').textContent === '4,321'");
    long millis = (System.nanoTime() - written) / 1_000_000;
    System.out.printf("dashboard: a new row is on the screen after %d ms%n", millis);
    assertThat(browser.text(".figures")).contains("4,321");

    growing.rows("rollout/ep_rew_mean", 4);
    browser.awaitTrue("return document.querySelector('.legend output').textContent === '4'");
    growing.append(
        "alerts.jsonl",
        "{\"update\":4,\"steps\":8192,\"rule\":\"gradient-norm\",\"severity\":\"warning\",\"state\":\"raised\",\"seen\":\"norm"
            + " 73\",\"why\":\"w\",\"try\":\"t\"}\n");
    browser.awaitTrue(
        "return document.querySelector('.alert')?.textContent.includes('gradient-norm')");
  }

  @Test
  void shouldShowThatUpdatesAreOverdue() {
    browser.screen(390, 844, false);
    open("overview", "overdue");
    assertThat(browser.text(".title .state"))
        .endsWith("no update for longer than expected; the process may have died");
    assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"overview", "metrics", "details"})
  void shouldShowScriptsAsText(String view) {
    open(view, "b " + SCRIPT);
    assertThat(browser.text("h1")).isEqualTo("b " + SCRIPT);
    assertThat(count("main img")).isZero();
    open(view, "growing");
    assertThat(browser.text(".title .sub")).contains(SCRIPT);
  }

  @Test
  void shouldShowScriptsInTheListAsText() {
    browser.open(dashboard.url() + "#view=runs&by=environment&open=" + encoded(SCRIPT));
    assertThat(browser.text("#list tbody")).contains(SCRIPT, "growing");
    browser.open(
        dashboard.url()
            + "#view=compare&with=growing&with="
            + encoded("b " + SCRIPT.replace('/', '_')));
    assertThat(browser.text("#comparison")).contains("b " + SCRIPT, SCRIPT + " →");
    assertThat(count("main img")).isZero();
    open("overview", "growing"); // the name is in the title too, as text
  }

  @ParameterizedTest
  @CsvSource({
    "overview, 6",
    "values, 6",
    "risk, 4",
    "gradients, 6",
    "policy, 8",
    "calibration, 6",
    "market, 3",
    "metrics, 0",
    "details, 0",
    "runs, 0",
    "studies, 0",
    "compare, 0",
    "population, 4"
  })
  void shouldDrawEveryViewOnEveryScreen(String view, int charts) throws IOException {
    for (Screen screen : Screen.values()) {
      browser.screen(screen.width, screen.height, screen.dark);
      open(view, "long");
      browser.awaitTrue("return document.querySelectorAll('.plot canvas').length >= " + charts);
      assertThat(
              (Long)
                  browser.run(
                      "return [...document.querySelectorAll('.plot')].filter(p =>"
                          + " !p.getAttribute('aria-label').match(/\\d/)).length"))
          .as("charts without a text")
          .isZero();
      assertThat(
              (Boolean)
                  browser.run(
                      "return document.documentElement.scrollWidth <= innerWidth && innerWidth === "
                          + screen.width))
          .as("%s fits on %s", view, screen)
          .isTrue();
      assertThat(browser.run("return getComputedStyle(document.documentElement).backgroundColor"))
          .isEqualTo(screen.dark ? "rgb(15, 20, 26)" : "rgb(244, 245, 247)");
    }
  }

  /** Large screen in light and dark mode, and small screen. */
  private enum Screen {
    LIGHT(1280, 800, false),
    DARK(1280, 800, true),
    PHONE(390, 844, false);

    private final int width;
    private final int height;
    private final boolean dark;

    Screen(int width, int height, boolean dark) {
      this.width = width;
      this.height = height;
      this.dark = dark;
    }
  }

  @Test
  void shouldReachEverythingWithTheKeyboard() {
    browser.screen(1280, 800, false);
    open("overview", "long");
    Set<String> reached = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      browser.pressTab();
      reached.add(focused());
      assertThat(
              browser.run(
                  "const e = document.activeElement; return e === document.body ||"
                      + " getComputedStyle(e).outlineStyle !== 'none'"))
          .as("focus shows on %s", focused())
          .isEqualTo(true);
    }
    assertThat(reached)
        .contains(
            "a.skip",
            "button#theme",
            "a[runs]",
            "a[compare]",
            "button#choose",
            "a[overview]",
            "a[details]",
            "select#pick-range",
            "div.plot",
            "button.table",
            "button.log");

    open("overview", "long");
    browser.pressTab();
    browser.press(Keys.ENTER);
    assertThat(focused()).isEqualTo("main#main");
    browser.run("document.querySelector('#views a[aria-current]').focus()");
    browser.press(Keys.ARROW_RIGHT, Keys.ENTER);
    browser.awaitTrue(
        "return document.querySelector('main h2')?.textContent.startsWith('Predicted"
            + " distribution')");
    assertThat(focused()).isEqualTo("a[values]");
    browser.run("document.querySelector('.plot').focus()");
    browser.press(Keys.HOME, Keys.ARROW_RIGHT);
    assertThat(browser.text("section:first-child [aria-live]"))
        .startsWith("step ")
        .contains("median");
  }

  @Test
  void shouldShowChartsAsTables() {
    open("overview", "long");
    browser.run("document.querySelectorAll('.panel .tools button')[1].click()");
    assertThat(browser.text(".panel table th")).contains("step|return").contains("20,480,000");
  }

  @Test
  void shouldKeepTheChosenTheme() {
    browser.screen(1280, 800, false);
    open("overview", "growing");
    browser.run(
        "document.getElementById('theme').click(); document.getElementById('theme').click()");
    assertThat(browser.text("#theme")).isEqualTo("Theme: dark");
    open("overview", "growing");
    assertThat(browser.run("return document.documentElement.dataset.theme")).isEqualTo("dark");
    browser.run("localStorage.clear()");
  }

  /**
   * For the documentation: {@code -Dquantail.screenshots=FOLDER -Dquantail.screenshots.runs=RUNS}.
   */
  @Test
  void shouldTakeScreenshotsOfEveryView() throws IOException {
    Path folder =
        Path.of(System.getProperty("quantail.root"))
            .resolve(System.getProperty("quantail.screenshots", "app/target/dashboard"));
    String real = System.getProperty("quantail.screenshots.runs");
    Path runs = real == null ? directory.resolve("runs") : Path.of(real);
    try (DashboardServer shown =
        DashboardServer.start(new DashboardOptions(runs, "127.0.0.1", 0, null))) {
      for (Picture picture : Picture.values()) {
        if (real == null && picture.address.matches("view=(study|population).*")) {
          continue; // there is none
        }
        browser.screen(picture.width, 700, picture.dark);
        browser.open(
            shown.url()
                + "#"
                + picture.address.replaceAll("=[a-z-]+-00\\d", real == null ? "=long" : "$0"));
        Path file =
            folder.resolve("dashboard-%s.png".formatted(picture.name().toLowerCase(Locale.ROOT)));
        browser.screenshot(file, picture.width);
        assertThat(Files.size(file)).as(file.toString()).isBetween(4_000L, 150_000L);
      }
      browser.leave();
    }
  }

  /** Screenshots of {@code docs/guides/watch.md}. */
  private enum Picture {
    RUNS("view=runs&with=cartpole-001", 1280, false),
    GROUPS("view=runs&by=settings&sort=result-down", 1280, true),
    COMPARE(
        "view=compare&lines=mean&baseline=cartpole-001&with=cartpole-002&with=cartpole-003"
            + "&with=cartpole-004&with=cartpole-005&with=cartpole-006",
        1280,
        false),
    SWEEP("view=study&study=cartpole-sweep-001", 1280, false),
    FOLDS("view=study&study=walk-forward-001", 1280, true),
    OVERVIEW("view=overview&run=demo-001", 1280, false),
    VALUES("view=values&run=demo-001", 1280, false),
    CALIBRATION("view=calibration&run=exposure-001", 1280, false),
    RISK("view=risk&run=demo-001", 1280, true),
    GRADIENTS("view=gradients&run=demo-001", 1280, true),
    POLICY("view=policy&run=demo-001", 1280, false),
    MARKET("view=market&run=demo-001", 1280, false),
    POPULATION("view=population&population=cartpole-population-001", 1280, false),
    METRICS("view=metrics&run=demo-001&metric=train/loss&metric=train/ratio_std", 1280, false),
    SETTINGS("view=details&run=demo-001&changed=1", 1280, false),
    PHONE("view=overview&run=exposure-001", 390, true);

    private final String address;
    private final int width;
    private final boolean dark;

    Picture(String address, int width, boolean dark) {
      this.address = address;
      this.width = width;
      this.dark = dark;
    }
  }

  private static void open(String view, String run) {
    String chosen = run.startsWith("long&") ? run : encoded(run);
    browser.open(dashboard.url() + "#view=" + view + "&run=" + chosen);
  }

  private static long readyMillis() {
    return ((Number)
            browser.run(
                "return Math.round(performance.getEntriesByName('quantail-ready')[0].startTime)"))
        .longValue();
  }

  private static String focused() {
    return (String)
        browser.run(
            "const e = document.activeElement; const tag = e.tagName.toLowerCase(); return"
                + " e.dataset.run || e.dataset.view ? `${tag}[${e.dataset.run ?? e.dataset.view}]`"
                + " : e.id ? `${tag}#${e.id}` : e.textContent === 'log' || e.textContent ==="
                + " 'table' ? `${tag}.${e.textContent}` : `${tag}.${e.classList[0] ?? ''}`");
  }

  /** Names that the views show, and others up to the number of a long run. */
  static String[] metrics() {
    Predicate<String> regular = name -> !name.matches("(warn|error|info|time|env)/.*");
    Predicate<String> dispensable =
        name -> name.matches(".*(/kl_|vf_clip|ent_coef_|value_scale).*");
    return MetricCatalogue.entries().stream()
        .map(MetricDescription::name)
        .filter(regular)
        .map(name -> name.replace("{k}", "0").replace("{layer}", "actor.lstm.0"))
        .sorted(Comparator.comparing(dispensable::test))
        .limit(METRICS)
        .sorted()
        .toArray(String[]::new);
  }

  static String equity() {
    StringBuilder text =
        new StringBuilder(
            "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover\n");
    for (String policy : new String[] {"agent", "buyAndHold"}) {
      for (int minute = 10; minute < 60; minute++) {
        text.append(
            "X,%s,2020-01-01T00:%d:00Z,1,1,%s,%s,0,0,0,0\n"
                .formatted(policy, minute, minute % 2, 100 + minute % 7));
      }
    }
    return text.toString();
  }
}
