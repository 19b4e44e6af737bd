package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports in a real Chromium: every chart is drawn, and the console stays empty. */
@Tag("browser")
@Requirement("REP-1")
class ReportBrowserTest {
  @TempDir private static Path directory;
  private static Path chromium;

  @BeforeAll
  static void find() {
    Optional<Path> found =
        Stream.of("chromium", "chromium-browser", "google-chrome")
            .flatMap(
                name ->
                    Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
            .filter(Files::isExecutable)
            .findFirst();
    Assumptions.assumeTrue(
        found.isPresent(),
        "no Chromium on the path; install it (Debian: apt-get install chromium)");
    chromium = found.get();
  }

  @Test
  void shouldDrawEveryChartOfAMarketReport() throws IOException, InterruptedException {
    Path run = directory.resolve("run");
    Invocation training = Invocation.trainOnMarket(run);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    Document page = open(run.resolve("report.html"));
    requireDrawn(page, 8);
    assertThat(page.select(".picker")).isEmpty();
  }

  @Test
  void shouldShowOneOfSeveralSymbols() throws IOException, InterruptedException {
    Path run = directory.resolve("two");
    Invocation training =
        Invocation.trainOnMarket(
            run,
            "--set",
            "market.data.files=['demo:AAPL', 'demo:MSFT']",
            "--set",
            "market.data.symbols=[ONE, TWO]",
            "--set",
            "market.data.gaps=allow");
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    Document page = open(run.resolve("report.html"));
    assertThat(page.select(".picker button").eachText())
        .containsExactly("All symbols", "ONE", "TWO");
    assertThat(page.select(".part[data-account=all]")).noneMatch(part -> part.hasAttr("hidden"));
    assertThat(page.select(".part[data-account=symbol-1]"))
        .hasSize(2)
        .allMatch(part -> part.hasAttr("hidden"));
    page.select(".part[hidden]").remove();
    requireDrawn(page, 6);
  }

  @Test
  void shouldDrawComparisonsAndEpisodes() throws IOException, InterruptedException {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    Invocation.train(first);
    Invocation.train(second, "--seed", "2");
    requireDrawn(open(first.resolve("report.html")), 3);
    Path report = directory.resolve("compare.html");
    Invocation.of("compare", first.toString(), second.toString(), "--report", report.toString());
    requireDrawn(open(report), 3);
  }

  private static void requireDrawn(Document page, int fewest) {
    List<Element> charts = page.select("[data-chart]");
    assertThat(charts).hasSizeGreaterThanOrEqualTo(fewest);
    assertThat(charts).allMatch(chart -> chart.select("svg path").size() > 1);
  }

  /** The page as it is when its scripts have run. */
  private static Document open(Path file) throws IOException, InterruptedException {
    Path dom = Files.createTempFile(directory, "dom", ".html");
    Path log = Files.createTempFile(directory, "log", ".txt");
    List<String> command = new ArrayList<>(List.of(chromium.toString()));
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--user-data-dir=" + Files.createTempDirectory(directory, "profile"),
            "--enable-logging=stderr",
            "--window-size=1280,2000",
            "--virtual-time-budget=5000",
            "--dump-dom",
            file.toUri().toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("Chromium ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readAllLines(log)).noneMatch(line -> line.contains(":CONSOLE"));
    return Jsoup.parse(Files.readString(dom));
  }
}
