package io.quantail.app.dashboard;

import static io.quantail.app.dashboard.RunListBrowserTest.click;
import static io.quantail.app.dashboard.RunListBrowserTest.pick;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparison of runs, and axes, zoom and scales of charts, in a real browser. */
@Requirement("DASH-2")
class CompareBrowserTest extends BrowserTestBase {
  private static final String CHART =
      "const c = echarts.getInstanceByDom(document.querySelector('.plot')); ";

  @TempDir private static Path directory;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    for (int seed = 1; seed <= 3; seed++) {
      new RunFixture(runs.resolve("old-" + seed))
          .write(
              "config.yaml",
              "seed: " + seed + "\nmarket: {features: {list: [return(1), return(5)]}}\n")
          .rows("rollout/ep_rew_mean", 100 * seed)
          .clock(1_000, 1, 100 * seed)
          .write("result.json", "{\"evaluation\": {\"meanReturn\": " + 10 * seed + "}}");
      new RunFixture(runs.resolve("new-" + seed))
          .write(
              "config.yaml",
              "seed: "
                  + seed
                  + "\nmarket: {features: {list: [return(2), return(5)]}}\nppo: {epochs: 4}\n")
          .rows("rollout/ep_rew_mean", 100);
    }
    serve(runs);
  }

  @BeforeEach
  void screen() {
    browser.screen(1280, 800, false);
  }

  @Test
  void shouldDrawMeanAndBandOverSeeds() {
    browser.open(compare("&lines=mean&baseline=old-1"));
    assertThat(browser.text(".legend .name")).contains(", 3 seeds|").endsWith(", 3 seeds");
    // rows count their updates, so the mean at the end of the shortest run, update 100, is 100
    assertThat(browser.text(".legend output")).isEqualTo("100|100");
    assertThat(
            number(CHART + "return c.getOption().series.filter(s => s.type === 'custom').length"))
        .isEqualTo(2);
    assertThat(browser.text("#comparison tbody tr:first-child td")).startsWith("3|20|10 to 30|");
    assertThat(browser.text("main > #view > .note")).contains("lowest and the highest run");
    pick("band", "deviation");
    browser.awaitTrue(
        "return document.querySelector('#view > .note')?.textContent.includes('standard"
            + " deviation')");
    pick("lines", "each");
    browser.awaitTrue("return document.querySelectorAll('.legend .name').length === 6");
    assertThat(browser.text(".legend output")).isEqualTo("100|200|300|100|100|100");
  }

  /** Seven runs and more are drawn as means, unless a line for each is asked for. */
  @Test
  void shouldShowDifferencesOfListsAgainstTheBaseline() {
    browser.open(compare("&lines=mean&baseline=old-1"));
    assertThat(browser.text("#comparison caption")).isEqualTo("Compared with old-1, the baseline");
    assertThat(browser.text("#comparison tbody tr:last-child .change"))
        .isEqualTo("market.features.list +return(2) −return(1)|ppo.epochs 10 → 4");
    pick("pin", "new-2");
    browser.awaitTrue(
        "return document.querySelector('#comparison caption').textContent.includes('new-2')");
    assertThat(browser.text("#comparison tbody tr:last-child .change"))
        .isEqualTo("market.features.list +return(1) −return(2)|ppo.epochs 4 → 10");
  }

  @Test
  void shouldChangeTheAxisAndKeepItInTheAddress() {
    browser.open(dashboard.url() + "#view=overview&run=old-3");
    assertThat(lastX()).isEqualTo(300 * 2_048);
    pick("pick-axis", "updates");
    assertThat(lastX()).isEqualTo(300);
    pick("pick-axis", "time");
    assertThat(lastX()).isEqualTo(300); // one update a second
    pick("pick-smooth", "0.08");
    pick("pick-range", "0.5");
    String hash = (String) browser.run("return location.hash");
    assertThat(hash).contains("axis=time", "smooth=0.08", "range=0.5");
    browser.open(dashboard.url() + hash);
    assertThat(browser.run("return document.getElementById('pick-axis').value")).isEqualTo("time");
    assertThat(lastX()).isEqualTo(300);
    assertThat(number(CHART + "return c.getOption().series[0].data[0][0]")).isBetween(140L, 150L);
    click("#views a[data-view=values]");
    browser.awaitTrue("return location.hash.includes('view=values')");
    assertThat(browser.run("return location.hash")).asString().contains("axis=time");
  }

  @Test
  void shouldPutTicksOfTimeAtRoundNumbers() {
    browser.open(dashboard.url() + "#view=overview&run=old-3&axis=time");
    @SuppressWarnings("unchecked")
    List<Number> ticks =
        (List<Number>)
            browser.run(
                CHART
                    + "return c.getModel().getComponent('xAxis', 0).axis.scale.getTicks().map(t =>"
                    + " t.value)");
    assertThat(ticks.subList(0, ticks.size() - 1)).hasSizeGreaterThan(2);
    assertThat(ticks.subList(0, ticks.size() - 1))
        .allSatisfy(tick -> assertThat(tick.doubleValue() % 60).isZero());
    assertThat(browser.run(CHART + "return c.getOption().xAxis[0].axisLabel.formatter(120)"))
        .isEqualTo("2 min");
  }

  @Test
  void shouldZoomWithADragAndWithKeys() {
    browser.open(dashboard.url() + "#view=overview&run=old-3");
    browser.run(
        CHART
            + "const r = c.getDom().querySelector('canvas').getBoundingClientRect(); const x = v =>"
            + " c.convertToPixel({xAxisIndex: 0}, v); const at = (kind, v) =>"
            + " c.getDom().querySelector('canvas').dispatchEvent(new MouseEvent(kind, {bubbles:"
            + " true, clientX: r.left + x(v), clientY: r.top + 60, button: 0})); at('mousedown',"
            + " 204800); at('mousemove', 300000); at('mousemove', 409600); at('mouseup', 409600);");
    browser.awaitTrue("return location.hash.includes('zoom=')");
    String hash = (String) browser.run("return location.hash");
    String[] ends = hash.replaceAll(".*zoom=([^&]*).*", "$1").split("~|%7E");
    assertThat(Double.parseDouble(ends[0])).isBetween(200_000.0, 210_000.0);
    assertThat(Double.parseDouble(ends[1])).isBetween(405_000.0, 415_000.0);
    assertThat(number(CHART + "return Math.round(c.getOption().xAxis[0].min)"))
        .isBetween(200_000L, 210_000L);
    browser.open(dashboard.url() + hash);
    assertThat(number(CHART + "return Math.round(c.getOption().xAxis[0].max)"))
        .isBetween(405_000L, 415_000L);
    click("#whole");
    assertThat(browser.run("return location.hash")).asString().doesNotContain("zoom");
    assertThat(browser.run("return document.getElementById('whole').hidden")).isEqualTo(true);

    browser.run("document.querySelector('.plot').focus()");
    browser.press("+");
    assertThat(browser.run("return location.hash")).asString().contains("zoom=");
    browser.press("0");
    assertThat(browser.run("return location.hash")).asString().doesNotContain("zoom");
  }

  /** A part of a long run is shown with all its points, though the server thins long lines. */
  @Test
  void shouldLoadAllPointsOfThePartThatIsShown(@TempDir Path directory) {
    new RunFixture(directory.resolve("long")).rows("rollout/ep_rew_mean", 20_000);
    try (DashboardServer server =
        DashboardServer.start(new DashboardOptions(directory, "127.0.0.1", 0, null))) {
      browser.open(server.url() + "#view=overview&run=long&zoom=20480000~20889600");
      browser.awaitTrue(CHART + "return c.getOption().series[0].data.length > 190");
      assertThat(number(CHART + "return c.getOption().series[0].data.length"))
          .isBetween(200L, 204L);
      browser.leave();
    }
  }

  /** Dates begin at round times too. */
  @Test
  void shouldPutTicksOfDatesAtRoundNumbers(@TempDir Path directory) {
    StringBuilder equity =
        new StringBuilder(
            "symbol,policy,ts,close,target,exposure,equity,fee,slippage,borrow,turnover\n");
    for (int hour = 0; hour < 60; hour++) {
      equity.append(
          String.format(
              Locale.ROOT,
              "X,agent,2020-01-%02dT%02d:17:00Z,1,1,1,%d,0,0,0,0%n",
              1 + (hour + 7) / 24,
              (hour + 7) % 24,
              100 + hour));
    }
    new RunFixture(directory.resolve("m"))
        .begun("Market-v0", 10)
        .append("equity.csv", equity.toString());
    try (DashboardServer server =
        DashboardServer.start(new DashboardOptions(directory, "127.0.0.1", 0, null))) {
      browser.open(server.url() + "#view=market&run=m");
      browser.awaitTrue("return document.querySelector('.plot canvas') !== null");
      @SuppressWarnings("unchecked")
      List<Number> ticks =
          (List<Number>)
              browser.run(
                  CHART
                      + "return c.getModel().getComponent('xAxis', 0).axis.scale.getTicks().map(t"
                      + " => t.value)");
      List<Number> inner =
          ticks.subList(1, ticks.size() - 1); // the first and the last are the ends
      assertThat(inner).isNotEmpty();
      assertThat(inner).allSatisfy(tick -> assertThat(tick.longValue() % 3_600_000).isZero());
      browser.leave();
    }
  }

  @Test
  void shouldKeepTheLogarithmicScaleInTheAddress() {
    browser.open(dashboard.url() + "#view=overview&run=old-3");
    click(".panel .tools button");
    assertThat(browser.run(CHART + "return c.getOption().yAxis[0].type")).isEqualTo("log");
    browser.open(dashboard.url() + browser.run("return location.hash"));
    assertThat(browser.run(CHART + "return c.getOption().yAxis[0].type")).isEqualTo("log");
  }

  /** Lines of any number of runs: six were the most before. */
  @Test
  void shouldDrawMeansOfManyRunsByDefault(@TempDir Path many) {
    for (int i = 0; i < 50; i++) {
      new RunFixture(many.resolve(String.format(Locale.ROOT, "run-%02d", i)))
          .write("config.yaml", "seed: " + i % 10 + "\nppo: {epochs: " + (1 + i / 10) + "}\n")
          .rows("rollout/ep_rew_mean", 30);
    }
    StringBuilder hash = new StringBuilder("#view=compare");
    for (int i = 0; i < 50; i++) {
      hash.append(String.format(Locale.ROOT, "&with=run-%02d", i));
    }
    try (DashboardServer server =
        DashboardServer.start(new DashboardOptions(many, "127.0.0.1", 0, null))) {
      browser.open(server.url() + hash);
      assertThat(browser.text(".legend .name"))
          .isEqualTo(
              "ppo.epochs=1, 10 seeds|ppo.epochs=2, 10 seeds|ppo.epochs=3, 10 seeds|ppo.epochs=4,"
                  + " 10 seeds|ppo.epochs=5, 10 seeds");
      assertThat(
              number(CHART + "return c.getOption().series.filter(s => s.type === 'custom').length"))
          .isEqualTo(5);
      browser.leave();
    }
  }

  private static String compare(String more) {
    StringBuilder hash = new StringBuilder("#view=compare");
    for (String kind : new String[] {"old", "new"}) {
      for (int seed = 1; seed <= 3; seed++) {
        hash.append("&with=").append(kind).append('-').append(seed);
      }
    }
    return dashboard.url() + hash + more;
  }

  private static long lastX() {
    return number(CHART + "return Math.round(c.getOption().series[0].data.at(-1)[0])");
  }

  private static long number(String script) {
    return ((Number) browser.run(script)).longValue();
  }
}
