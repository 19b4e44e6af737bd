package io.quantail.app.dashboard;

import static io.quantail.app.dashboard.RunListBrowserTest.click;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sweeps, walk-forwards, purged cross-validations, calibration, limit, validation, settings and
 * reports in a real browser.
 */
@Requirement("DASH-2")
class StudyBrowserTest extends BrowserTestBase {
  @TempDir private static Path directory;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    StudyFixture.sweep(runs.resolve("sweep-001"));
    StudyFixture.walkForward(runs.resolve("walk-forward-001"));
    StudyFixture.purged(runs.resolve("purged-001"));
    StudyFixture.run(runs.resolve("run-001"));
    new PopulationFixture(runs.resolve("many")).begun(2, 2).generations(2, 2);
    serve(runs);
  }

  @BeforeEach
  void screen() {
    browser.screen(1280, 800, false);
  }

  @Test
  void shouldListStudies() {
    open("studies");
    assertThat(browser.text("tbody th a"))
        .contains("sweep-001", "walk-forward-001", "purged-001", "many");
    assertThat(browser.text("tbody td"))
        .contains("sweep|finished", "2 members, 2 of 2 generations");
    browser.run(
        "[...document.querySelectorAll('tbody a')].find(a => a.textContent ==="
            + " 'sweep-001').click()");
    browser.awaitTrue("return document.querySelector('h1').textContent === 'sweep-001'");
  }

  @Test
  void shouldRankTheBestPointOfASweepFirst() {
    open("study&study=sweep-001");
    assertThat(browser.text(".verdict")).isEqualTo("the verdict");
    assertThat(browser.text("#ranking caption"))
        .isEqualTo("Points of the grid by median; score: mean return");
    assertThat(browser.text("#ranking tbody tr:first-child td"))
        .contains("ppo.epochs=4 best by median", "20|10|30", "seed 1: 10 seed 2: 20 seed 3: 30");
    assertThat(browser.text("#ranking tbody tr:last-child td"))
        .contains("ppo.epochs=9", "seed 3: failed, it broke");
    assertThat(count("#ranking tbody tr:first-child svg.scores circle")).isEqualTo(3);
    browser.run(
        "[...document.querySelectorAll('#ranking a')].find(a => a.textContent === 'seed 2:"
            + " 20').click()");
    browser.awaitTrue("return document.querySelector('h1').textContent === 'point-1-seed-2'");
    assertThat(browser.text(".trail")).contains("sweep-001");
  }

  @Test
  void shouldCompareTheSeedsOfAPoint() {
    open("study&study=sweep-001");
    click("#ranking tbody td:last-child a");
    browser.awaitTrue("return document.querySelector('#comparison') !== null");
    assertThat(count("#comparison tbody tr")).isEqualTo(3);
  }

  @Test
  void shouldShowTheFoldsOfAWalkForwardWithTheirAgents() {
    open("study&study=walk-forward-001");
    assertThat(browser.text("#folds tbody tr:first-child"))
        .contains("fold 1", "seed 1: 5.00 %", "seed 2: −1.00 %", "1 kept, 1 broken");
    assertThat(browser.text("#folds thead")).contains("buy-and-hold");
    assertThat(browser.text(".verdict")).contains("Median seed 4.00 %", "1 of 2 seeds above");
    browser.run("document.querySelector('#folds tbody a').click()");
    browser.awaitTrue("return document.querySelector('h1').textContent === 'fold-1-seed-1'");
  }

  @Test
  void shouldShowThePathsOfAPurgedCrossValidationWithTheirFolds() {
    open("study&study=purged-001");
    assertThat(browser.text(".title .sub")).startsWith("purged cross-validation");
    assertThat(browser.text("#paths tbody th")).isEqualTo("path 2|path 1|buy-and-hold");
    assertThat(browser.text("#paths tbody tr:first-child td")).contains("8.00 %", "1.00 %|7.00 %");
    assertThat(browser.text("#folds tbody th")).isEqualTo("fold 1, seed 1|fold 2, seed 1");
    assertThat(browser.text(".note")).isEqualTo("a caveat");
    assertThat(count("#folds tbody a")).isEqualTo(1); // one of the runs is there
  }

  @Test
  void shouldShowAStudyThatIsNotFinished(@TempDir Path running) {
    new RunFixture(running.resolve("s"))
        .begun("CartPole-v1", 10)
        .write("data.json", "{\"kind\": \"sweep\"}");
    StudyFixture.agent(running.resolve("s/runs/seed-1"), 1, 12.5);
    try (DashboardServer server =
        DashboardServer.start(new DashboardOptions(running.resolve("s"), "127.0.0.1", 0, null))) {
      browser.open(server.url());
      assertThat(browser.text("h1")).isEqualTo("s");
      assertThat(browser.text("main")).contains("1 are so far", "seed-1", "12.50");
      browser.leave();
    }
  }

  @Test
  void shouldShowCalibration() {
    open("calibration&run=run-001");
    assertThat(browser.text("main h2"))
        .contains(
            "Levels of realised returns (PIT)",
            "Coverage",
            "Predicted and realised tail",
            "PIT deviation");
    assertThat(
            browser.run("return document.querySelectorAll('.plot')[1].getAttribute('aria-label')"))
        .isEqualTo(
            "Levels of realised returns in the newest pool. 0–5 %: 10.0 % of the returns, 5–20 %:"
                + " 15.0 % of the returns, 20–50 %: 25.0 % of the returns, 50–95 %: 40.0 % of the"
                + " returns, 95–100 %: 10.0 % of the returns");
    click(".panel:nth-child(2) .tools button");
    assertThat(browser.text(".panel tbody tr:first-child")).isEqualTo("0–5 %5.0 %20.0 %10.0 %");
    assertThat(browser.text("caption"))
        .contains("After training, one pass over the validation bars");
  }

  @Test
  void shouldShowTheLimitWithItsStatusAndValidationBesideTraining() {
    open("risk&run=run-001");
    assertThat(browser.text("#limit caption")).endsWith(": undecided");
    assertThat(browser.text("#limit tbody tr:first-child"))
        .contains("train", "kept", "−0.500 %", "−0.700 % to −0.300 %", "900 bars");
    assertThat(browser.text("#limit tbody tr:last-child")).contains("test", "undecided", "too few");
    assertThat(browser.text(".figures")).contains("limit −1.000 %", "undecided");
    open("overview&run=run-001");
    assertThat(browser.text(".panel.wide .legend .name"))
        .isEqualTo("training, mean of episodes|validation, one pass");
    open("runs");
    assertThat(browser.text("#list thead")).contains("validation");
  }

  @Test
  void shouldMarkSettingsThatAreNotTheDefault() {
    open("details&run=run-001");
    assertThat(browser.text(".settings .changed")).contains("ppo.epochs");
    assertThat(browser.text(".settings tbody")).contains("ppo.epochs, not the default410");
    long all = count(".settings tbody tr");
    click("#changed");
    browser.awaitTrue("return location.hash.includes('changed=1')");
    browser.awaitTrue("return document.querySelectorAll('.settings tbody tr').length < " + all);
    assertThat(count(".settings tbody tr")).isEqualTo(count(".settings .changed"));
  }

  /** The page opens, its own script runs, and it cannot read what the dashboard serves. */
  @Test
  void shouldOpenReportsWithoutGivingThemAccess() {
    browser.open(dashboard.url() + "#view=overview&run=run-001");
    String address =
        (String) browser.run("return document.querySelector('.title a[target=_blank]').href");
    assertThat(address).endsWith("/reports/run-001/report.html");
    browser.visit(address);
    browser.awaitTrue("return document.title === 'script ran'");
    browser.awaitTrue("return document.body.dataset.stolen !== undefined");
    assertThat(browser.run("return document.body.dataset.stolen")).isEqualTo("refused");
    assertThat(browser.run("return origin")).isEqualTo("null");
    assertThat(browser.complaints())
        .allMatch(line -> line.contains("/api/runs") || line.contains("Content Security Policy"));
    browser.leave();
  }

  private static void open(String view) {
    browser.open(dashboard.url() + "#view=" + view);
  }
}
