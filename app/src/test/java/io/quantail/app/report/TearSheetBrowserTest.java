package io.quantail.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.dashboard.Browser;
import io.quantail.testing.Requirement;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tear sheet in a real Chromium: its layout on screens of all sizes, and its downloads. */
@Tag("browser")
@Requirement("REP-2")
class TearSheetBrowserTest {
  private static final int BARS = 1_500;

  @TempDir private static Path directory;
  private static Browser browser;
  private static String address;

  @BeforeAll
  static void write() throws IOException {
    browser = Browser.start();
    Path page = directory.resolve("report.html");
    Files.writeString(page, SheetFixture.page(BARS, 1440));
    address = page.toUri().toString();
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  /** A violation of the content security policy is an error too. */
  @AfterEach
  void shouldLogNoErrors() {
    assertThat(browser.complaints()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1280, false", "1280, true", "390, false", "390, true"})
  void shouldFitTheScreen(int width, boolean dark) {
    browser.screen(width, 900, dark);
    browser.open(address);
    assertThat(number("document.documentElement.scrollWidth")).isEqualTo(width);
    assertThat(number("document.querySelectorAll('[data-chart] svg').length"))
        .isEqualTo(number("document.querySelectorAll('[data-chart]').length"));
    if (width == 1280) {
      assertThat(
              number(
                  "[...document.querySelectorAll('.scroll')]"
                      + ".filter(e => e.scrollWidth > e.clientWidth + 1).length"))
          .as("tables that are cut")
          .isZero();
    }
  }

  private static long number(String expression) {
    return ((Number) browser.run("return " + expression)).longValue();
  }

  @Test
  void shouldSaveChartsAsCsvAndPng() throws IOException {
    Path downloads = Files.createDirectory(directory.resolve("downloads"));
    browser.screen(1280, 900, false);
    browser.open(address);
    browser.downloadInto(downloads);
    String equity =
        "[...document.querySelectorAll('figure')].find(f => f.textContent.startsWith('Equity'))";
    browser.run(equity + ".querySelectorAll('button.save').forEach(b => b.click())");
    Path csv = downloads.resolve("generated-equity-and-drawdown.csv");
    Path png = downloads.resolve("generated-equity-and-drawdown.png");
    Browser.await(() -> isThere(csv) && isThere(png), "both files");
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.get(0))
        .startsWith("time (UTC),agent (equity),agent (drawdown),buy-and-hold (equity),")
        .endsWith("bootstrap 5–95 % (equity) low,bootstrap 5–95 % (equity) high");
    assertThat(lines).hasSize(BARS + 2);
    assertThat(lines.get(1)).startsWith("2015-01-01T00:00:00.000Z,0,0,0,");
    assertThat(lines.get(BARS + 1)).startsWith("2019-02-09T00:00:00.000Z,");
    var picture = ImageIO.read(png.toFile());
    assertThat(picture.getWidth()).isGreaterThan(2_000); // two pixels for each of the screen
    assertThat(colours(picture)).as("something is drawn").isGreaterThan(5);
  }

  private static long colours(BufferedImage picture) {
    return IntStream.range(0, picture.getHeight())
        .map(y -> picture.getRGB(picture.getWidth() / 2, y))
        .distinct()
        .count();
  }

  private static boolean isThere(Path file) {
    try {
      return Files.exists(file) && Files.size(file) > 0;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldDrawPricesOnALogarithmicScale() {
    browser.screen(1280, 900, false);
    browser.open(address);
    String button = "document.querySelector('button.logarithmic')";
    String labels = "document.querySelector('[data-chart] svg').textContent";
    Object before = browser.run("return " + labels);
    browser.run(button + ".click()");
    assertThat(browser.run("return " + button + ".getAttribute('aria-pressed')")).isEqualTo("true");
    assertThat(browser.run("return " + labels)).isNotEqualTo(before);
  }
}
