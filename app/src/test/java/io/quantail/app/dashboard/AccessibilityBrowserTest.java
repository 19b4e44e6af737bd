package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No rule of axe-core is violated in any view, in light and dark. */
@Requirement("DASH-2")
class AccessibilityBrowserTest extends BrowserTestBase {
  private static final String AXE = axe();

  /** Of all rules only that of colours depends on the scheme. */
  private static final String COLOURS = "{runOnly: ['color-contrast']}";

  @TempDir private static Path directory;

  @BeforeAll
  static void start() {
    Path runs = directory.resolve("runs");
    StudyFixture.sweep(runs.resolve("sweep-001"));
    StudyFixture.walkForward(runs.resolve("walk-forward-001"));
    StudyFixture.purged(runs.resolve("purged-001"));
    PopulationFixture many =
        new PopulationFixture(runs.resolve("many")).begun(3, 2).generations(3, 2);
    new RunFixture(many.path().resolve("members/member-001/generation-001"))
        .rows("rollout/ep_rew_mean", 3);
    StudyFixture.run(runs.resolve("plain"));
    new RunFixture(runs.resolve("alerts"))
        .begun("Market-v0", 100_000)
        .large(DashboardBrowserTest.metrics(), 30)
        .clock(1_000, 1, 30)
        .append("equity.csv", DashboardBrowserTest.equity())
        .append("alerts.jsonl", alert("error", "raised") + alert("warning", "raised"))
        .append("alerts.jsonl", alert("info", "raised").replace("rule", "rules"));
    serve(runs);
  }

  private static String alert(String severity, String state) {
    return "{\"update\":1,\"steps\":2048,\"rule\":\"rule-%1$s\",\"severity\":\"%1$s\",\"state\":\"%2$s\",\"seen\":\"s\",\"why\":\"w\",\"try\":\"t\"}\n"
        .formatted(severity, state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "runs&with=plain&baseline=plain",
        "runs&by=study&open=sweep-001",
        "runs&find=nothing",
        "studies",
        "compare",
        "compare&lines=mean&baseline=plain&with=sweep-001/runs/point-1-seed-1&with=sweep-001/runs/point-1-seed-2",
        "study&study=sweep-001",
        "study&study=walk-forward-001",
        "study&study=purged-001",
        "population&population=many",
        "overview&run=many/members/member-001/generation-001",
        "overview&run=alerts",
        "values&run=alerts",
        "calibration&run=plain",
        "risk&run=plain",
        "gradients&run=alerts",
        "policy&run=alerts",
        "market&run=alerts",
        "metrics&run=alerts&metric=train/loss",
        "details&run=plain"
      })
  void shouldViolateNoRule(String view) {
    browser.screen(1280, 800, false);
    browser.open(dashboard.url() + "#view=" + view);
    browser.run("document.querySelector('.panel .tools button:last-child')?.click()"); // a table
    assertThat(violations("{}")).as("light").isEmpty();
    browser.screen(1280, 800, true);
    assertThat(violations(COLOURS)).as("dark").isEmpty();
    browser.screen(390, 844, false);
    assertThat(violations("{runOnly: ['scrollable-region-focusable', 'target-size']}"))
        .as("phone")
        .isEmpty();
  }

  /** The check itself must be able to fail. */
  @Test
  void shouldNoticeAViolation() {
    browser.screen(1280, 800, false);
    browser.open(dashboard.url() + "#view=runs");
    browser.run(
        "const p = document.createElement('button'); document.getElementById('view').append(p)");
    assertThat(violations("{}")).anyMatch(text -> text.startsWith("button-name"));
  }

  @SuppressWarnings("unchecked")
  private static List<String> violations(String options) {
    browser.run(AXE);
    return (List<String>)
        browser.run(
            "return axe.run(document, "
                + options
                + ").then(r => r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0,"
                + " 3).map(n => n.html.slice(0, 150)).join(' ')))");
  }

  private static String axe() {
    try (InputStream script = AccessibilityBrowserTest.class.getResourceAsStream("/axe.min.js")) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
