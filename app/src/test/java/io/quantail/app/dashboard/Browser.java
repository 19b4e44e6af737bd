package io.quantail.app.dashboard;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A real Chromium for tests of dashboard and reports, driven by the driver that was installed with
 * it; nothing is downloaded.
 */
public final class Browser implements AutoCloseable {
  private static final String HINT =
      "Chromium is missing: the tests of the dashboard in a browser are skipped; install it with:"
          + " apt-get install chromium chromium-driver";
  private static final List<String> BROWSERS =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final long MOST_HEIGHT = 1_250; // pixels of a picture
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  static {
    // Hides warnings about the protocol version; the tests need no new features.
    SELENIUM.setLevel(Level.SEVERE);
  }

  /** Skips the test with a hint if no browser is installed. */
  public static Browser start() {
    Optional<Path> browser =
        BROWSERS.stream().map(Browser::onPath).flatMap(Optional::stream).findFirst();
    Optional<Path> chromedriver = onPath("chromedriver");
    assumeTrue(browser.isPresent() && chromedriver.isPresent(), HINT);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(browser.get().toString());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-dev-shm-usage");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.get().toFile())
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Optional<Path> onPath(String program) {
    for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
      Path candidate = Path.of(directory, program);
      if (Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** Opens a page in a new tab and waits until its view is complete. */
  public void open(String url) {
    leave();
    driver.get(url);
    awaitTrue("return performance.getEntriesByName('quantail-ready').length > 0");
  }

  /** Opens a page that is not the dashboard's own. */
  void visit(String url) {
    leave();
    driver.get(url);
  }

  /** Leaves the page before its server stops, so that it logs no errors. */
  void leave() {
    driver.get("about:blank");
  }

  public void screen(int width, int height, boolean dark) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** Saves what the page downloads in a directory. */
  public void downloadInto(Path directory) {
    driver.executeCdpCommand(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", directory.toString()));
  }

  public Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  public String text(String selector) {
    return (String)
        run(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent).join('|')",
            selector);
  }

  public void awaitTrue(String script) {
    await(() -> Boolean.TRUE.equals(run(script)), script);
  }

  public static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain for: " + what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }
  }

  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  void pressTab() {
    press(Keys.TAB);
  }

  /** Errors logged by the page since the last call. */
  public List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  /** Takes a screenshot of the page, at most so far down. */
  public void screenshot(Path file, int width) throws IOException {
    long whole = ((Number) run("return document.documentElement.scrollHeight")).longValue();
    long height = Math.min(MOST_HEIGHT, whole);
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    Files.createDirectories(file.getParent());
    Files.write(file, ScreenshotPalette.reduce(driver.getScreenshotAs(OutputType.BYTES)));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
