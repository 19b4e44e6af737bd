package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Base of dashboard tests in a real browser, which must log no errors and run no injected script.
 */
@Tag("browser")
abstract class BrowserTestBase {
  static final String SCRIPT = "<img src=x onerror=document.title='hacked'>";

  static Browser browser;
  static DashboardServer dashboard;

  @BeforeAll
  static void startBrowser() {
    browser = Browser.start();
  }

  /** Shows the runs of a directory in {@link #dashboard}. */
  static void serve(Path runs) {
    dashboard = DashboardServer.start(new DashboardOptions(runs, "127.0.0.1", 0, null));
  }

  @AfterAll
  static void stop() {
    if (dashboard != null) {
      dashboard.close();
      dashboard = null;
    }
    if (browser != null) {
      browser.close();
      browser = null;
    }
  }

  @AfterEach
  void shouldLogNoErrors() {
    assertThat(browser.complaints()).isEmpty();
    assertThat((String) browser.run("return document.title")).doesNotContain("hacked");
  }

  static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  static long count(String selector) {
    return (Long) browser.run("return document.querySelectorAll(arguments[0]).length", selector);
  }
}
