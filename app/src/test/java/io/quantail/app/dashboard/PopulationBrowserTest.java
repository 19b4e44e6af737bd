package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The view of populations, in a real browser. */
@Requirement("DASH-1")
class PopulationBrowserTest extends BrowserTestBase {
  @TempDir private static Path directory;
  private static PopulationFixture many;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    many = new PopulationFixture(runs.resolve("many")).begun(4, 4).generations(4, 2);
    new PopulationFixture(runs.resolve("p " + SCRIPT.replace('/', '_')))
        .begun(2, 2)
        .line(
            "{\"member\":0,\"generation\":0,\"source\":-1,\"hyperparameters\":{\"%1$s\":\"%1$s\"},\"failure\":\"%1$s\"}"
                .formatted(SCRIPT));
    serve(runs);
  }

  @Test
  void shouldShowTheLineageOfMembers() {
    browser.screen(1280, 800, false);
    open("many");
    assertThat(browser.text("h1")).isEqualTo("many");
    assertThat(browser.text(".figures dd")).startsWith("13|member 3, generation 1|2 of 4|1");
    assertThat(browser.text(".tree text")).contains("member 3");
    assertThat(count(".tree circle")).isEqualTo(8);
    assertThat(count(".tree path.kept")).isEqualTo(3);
    assertThat(count(".tree path.copied")).isEqualTo(1);
    assertThat(count(".tree path.best")).isEqualTo(1);
    assertThat(browser.text("main h2"))
        .contains("Score of each member", "optimizer.learningRate", "optimizer.schedule");
    assertThat(browser.text("#members tbody th")).isEqualTo("member 3|member 2|member 1|member 0");
    assertThat(browser.text("#members tbody tr:first-child td"))
        .contains("member 0 before generation 1");

    browser.run("document.querySelector('.tree').focus()");
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_LEFT);
    assertThat(browser.text("section[aria-label=Lineage] [aria-live]"))
        .startsWith("generation 0, member 3: score 3; ");
    many.entry(0, 2, 3, 99.5);
    browser.awaitTrue("return document.querySelectorAll('.tree circle').length === 9");
    assertThat(browser.text(".figures dd")).startsWith("99.50|member 0, generation 2|3 of 4|2");
    assertThat(browser.text("#members tbody th")).startsWith("member 0|member 3");
    assertThat(browser.run("return document.activeElement.className")).isEqualTo("tree");
    assertThat(count(".tree path.best")).isEqualTo(2);
    browser.run("document.querySelector('section[aria-label=Lineage] .tools button').click()");
    assertThat(browser.text("section[aria-label=Lineage] tbody td")).contains("|member 3|");
  }

  /** A member is opened as a run that has metrics alone. */
  @Test
  void shouldOpenAMember() {
    new RunFixture(many.path().resolve("members/member-003/generation-001"))
        .rows("rollout/ep_rew_mean", 5);
    open("many");
    browser.run("document.querySelector('#members tbody a').click()");
    browser.awaitTrue("return document.querySelector('.plot canvas') !== null");
    browser.awaitTrue(
        "return document.querySelector('h1').textContent === 'member-003/generation-001'");
    assertThat(browser.text(".figures dd")).startsWith("5|");
    assertThat(browser.text(".problem")).isEmpty();
    assertThat(browser.text(".trail")).contains("many");
  }

  @Test
  void shouldShowScriptsInPopulationsAsText() {
    open("p " + SCRIPT);
    assertThat(browser.text("h1")).isEqualTo("p " + SCRIPT);
    assertThat(browser.text("#members td")).contains("failed: " + SCRIPT);
    assertThat(count("main img")).isZero();
    open("many"); // the name is in the title too, as text
  }

  /**
   * A hundred members: only the best and their ancestors are shown, and the page does not overflow.
   */
  @Test
  void shouldShowOnlyTheBestOfManyMembers(@TempDir Path crowd) {
    PopulationFixture large = new PopulationFixture(crowd.resolve("crowd")).begun(100, 3);
    large.generations(100, 3);
    browser.screen(390, 844, true);
    try (DashboardServer alone =
        DashboardServer.start(new DashboardOptions(large.path(), "127.0.0.1", 0, null))) {
      browser.open(alone.url());
      assertThat(browser.text("h1")).isEqualTo("crowd");
      assertThat(count(".tree circle")).isEqualTo(3 * 48);
      assertThat(browser.text(".legend .name")).contains("48 of 100 members");
      assertThat(browser.text(".panel:first-child .legend .name"))
          .startsWith("member 88|")
          .endsWith("|member 99");
      assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
          .isEqualTo(true);
      browser.leave();
    }
  }

  private static void open(String population) {
    browser.open(dashboard.url() + "#view=population&population=" + encoded(population));
  }
}
