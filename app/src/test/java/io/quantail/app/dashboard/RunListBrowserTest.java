package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The list of a thousand runs in a real browser: search, filters, order, groups, choice. */
@Requirement("DASH-2")
class RunListBrowserTest extends BrowserTestBase {
  private static final int RUNS = 1_000;
  private static final int SEEDS = 10;

  @TempDir private static Path directory;
  private static RunFixture last;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    for (int i = 0; i < RUNS; i++) {
      String study = i < 100 ? "sweep-001/runs/" : "";
      last = new RunFixture(runs.resolve(String.format(Locale.ROOT, "%srun-%04d", study, i)));
      last.write(
              "config.yaml",
              String.format(
                  Locale.ROOT,
                  "seed: %d%nenvironment: {name: %s}%ntraining: {steps: 4096}%nppo: {epochs: %d}%n",
                  i % SEEDS,
                  i % 2 == 0 ? "CartPole-v1" : "Pendulum-v1",
                  1 + i / SEEDS))
          .write("metrics.csv", RunFixture.HEADER + RunFixture.line(2, "rollout/ep_rew_mean", i))
          .status(RunStatus.State.FINISHED, 2, Instant.EPOCH)
          .write("report.html", "<!doctype html><title>r</title>")
          .write(
              "result.json",
              String.format(
                  Locale.ROOT,
                  "{\"evaluation\": {\"meanReturn\": %d}, \"limit\": {\"limit\": -1, \"measured\":"
                      + " -2, \"status\": \"%s\"}}",
                  RUNS - i,
                  i % 3 == 0 ? "kept" : i % 3 == 1 ? "broken" : "undecided"));
    }
    new RunFixture(runs.resolve("sweep-001")).write("data.json", "{\"kind\": \"sweep\"}");
    serve(runs);
  }

  @BeforeEach
  void openList() {
    browser.screen(1280, 800, false);
    browser.open(dashboard.url());
    assertThat(browser.text("[role=status].told")).isEqualTo("1,000 runs");
  }

  @Test
  void shouldDrawOnlyTheRowsOnTheScreen() {
    assertThat(count("#list tbody tr")).isBetween(20L, 60L);
    assertThat(
            browser.run(
                "return document.querySelector('#list table').ariaRowCount ??"
                    + " document.querySelector('#list table').getAttribute('aria-rowcount')"))
        .isEqualTo("1001");
    assertThat(browser.text("#list tbody tr:first-child a[data-run]")).isEqualTo("run-0100");
    browser.run("document.getElementById('list').scrollTop = 1e9");
    browser.awaitTrue(
        "return [...document.querySelectorAll('#list a[data-run]')].some(a => a.textContent ==="
            + " 'run-0099')");
    assertThat(count("#list tbody tr")).isBetween(20L, 60L);
    assertThat(
            browser.run(
                "const h = document.querySelector('#list thead th').getBoundingClientRect(); const"
                    + " l = document.getElementById('list').getBoundingClientRect(); return"
                    + " Math.abs(h.top - l.top) < 3"))
        .as("the head of the table stays")
        .isEqualTo(true);
    assertThat(browser.run("return document.documentElement.scrollHeight <= innerHeight + 1"))
        .as("the page itself does not scroll")
        .isEqualTo(true);
  }

  @Test
  void shouldSearchAndFilter() {
    type("find", "ppo.epochs=7 seed=3"); // and not 70 to 79
    assertThat(told()).isEqualTo("1 of 1,000 runs");
    assertThat(browser.text("#list a[data-run]")).isEqualTo("run-0063");
    assertThat(browser.run("return location.hash"))
        .asString()
        .contains("find=ppo.epochs%3D7+seed%3D3");

    type("find", "");
    pick("filter-limit", "broken");
    assertThat(told()).isEqualTo("333 of 1,000 runs");
    pick("filter-environment", "Pendulum-v1");
    assertThat(told()).isEqualTo("167 of 1,000 runs");
    assertThat(browser.text("#list tbody td.of-limit")).doesNotContain("kept", "undecided");

    type("find", "nothing like it");
    assertThat(browser.text("#list td.none"))
        .isEqualTo("No run matches. Clear the search or a filter.");
  }

  @Test
  void shouldSort() {
    click("[data-sort=result]");
    assertThat(first()).isEqualTo("run-0000");
    assertThat(
            browser.run("return document.querySelector('th[aria-sort]').getAttribute('aria-sort')"))
        .isEqualTo("descending");
    click("[data-sort=result]");
    assertThat(first()).isEqualTo("run-0999");
    click("[data-sort=return]");
    assertThat(first()).isEqualTo("run-0999");
    assertThat(browser.run("return location.hash")).asString().contains("sort=return-down");
    browser.open(dashboard.url() + browser.run("return location.hash"));
    assertThat(first()).as("the address keeps the order").isEqualTo("run-0999");
  }

  @Test
  void shouldGroupBySettingsAndStudy() {
    pick("by", "settings");
    assertThat(told()).isEqualTo("1,000 runs, 200 groups"); // 100 values in 2 environments
    assertThat(browser.text("#list tr.group:first-child")).contains("epochs=", "5 runs");
    pick("by", "study");
    assertThat(told()).isEqualTo("1,000 runs, 2 groups");
    assertThat(browser.text("#list tr.group .of-name")).isEqualTo("▸ no study|▸ sweep-001open");
    click("#list tr.group:last-child button.group");
    assertThat(browser.text("#list a[data-run]")).startsWith("run-0000|run-0001");
    type("find", "sweep-001");
    assertThat(told()).isEqualTo("100 of 1,000 runs, 1 group");
    assertThat(browser.text("#list tr.group .of-environment")).isEmpty(); // there are two
  }

  @Test
  void shouldSummariseAGroupOfOneEnvironment() {
    type("find", "epochs=1 cartpole");
    pick("by", "settings");
    assertThat(told()).endsWith("1 group");
    click("#list button.group");
    type("find", "epochs=1 cartpole sweep-001/runs/run-000");
    String group = browser.text("#list tr.group:first-child");
    assertThat(group)
        .contains("5 runs", "4 0 to 8", "996 992 to 1,000", "2 kept", "2 undecided", "1 broken");
  }

  @Test
  void shouldChooseRunsAndABaseline() {
    type("find", "epochs=12");
    click("thead input[type=checkbox]");
    assertThat(browser.text(".chosen")).contains("10 chosen");
    pick("baseline", "run-0110");
    assertThat(browser.text("#list tbody tr:first-child td.of-settings")).isEqualTo("baseline");
    type("find", "");
    assertThat(browser.text("#list tbody tr:first-child td.of-settings"))
        .isEqualTo("ppo.epochs 12 → 11");
    click("#compare");
    browser.awaitTrue("return document.querySelector('#comparison') !== null");
    assertThat(browser.text("#comparison caption"))
        .isEqualTo("Compared with run-0110, the baseline");
    assertThat(browser.text(".plot + p")).isNotNull();
    assertThat(browser.text("#places a[aria-current]")).contains("Compare 10");
  }

  @Test
  void shouldMoveThroughRowsWithArrows() {
    browser.run("document.querySelector('#list a[data-run]').focus()");
    for (int i = 0; i < 40; i++) {
      browser.press(Keys.ARROW_DOWN);
    }
    assertThat(browser.run("return document.activeElement.dataset.run")).isEqualTo("run-0140");
    browser.press(Keys.ENTER);
    browser.awaitTrue("return document.querySelector('h1').textContent === 'run-0140'");
    assertThat(browser.text(".trail")).contains("41 of 1,000");
    click("#next-run");
    browser.awaitTrue("return document.querySelector('h1').textContent === 'run-0141'");
  }

  @Test
  void shouldShowNewStatesWithoutReloading() {
    type("find", "run-0999");
    last.status(RunStatus.State.FAILED, 2, Instant.now());
    browser.awaitTrue("return document.querySelector('#list .state-failed') !== null");
    last.status(RunStatus.State.FINISHED, 2, Instant.EPOCH);
    browser.awaitTrue("return document.querySelector('#list .state-finished') !== null");
  }

  @Test
  void shouldLinkToReports() {
    assertThat(
            browser.run(
                "return document.querySelector('#list tbody tr:first-child"
                    + " a[target=_blank]').getAttribute('href')"))
        .isEqualTo("/reports/run-0100/report.html");
  }

  private static String told() {
    return browser.text("[role=status].told");
  }

  private static String first() {
    return (String) browser.run("return document.querySelector('#list a[data-run]').textContent");
  }

  static void click(String selector) {
    browser.run("document.querySelector(arguments[0]).click()", selector);
  }

  static void type(String id, String text) {
    browser.run(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
            + " field.dispatchEvent(new Event('input'))",
        id,
        text);
  }

  static void pick(String id, String value) {
    browser.run(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1];"
            + " field.dispatchEvent(new Event('change'))",
        id,
        value);
  }
}
