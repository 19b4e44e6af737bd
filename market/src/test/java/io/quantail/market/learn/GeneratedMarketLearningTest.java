package io.quantail.market.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.calibration.CalibrationSummary;
import io.quantail.market.learn.GeneratedMarket.Score;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ten seeds of bars and agents in each market with the settings of the market presets, two at a
 * time. {@code tools/market-bars} runs them and prints the table of {@code
 * docs/results/learning.md}; results of single trainings are kept and not repeated.
 */
@Tag("learning")
@Requirement("LEARN-1")
class GeneratedMarketLearningTest {
  private static final int BARS = 250_000; // a fifth of them for the test
  private static final int NOISE_BARS = 200_000; // half of them for the test
  private static final List<GeneratedMarket> MARKETS =
      List.of(
          GeneratedMarket.ORACLE,
          GeneratedMarket.MEAN_REVERSION,
          GeneratedMarket.TREND,
          GeneratedMarket.NOISE);

  @Test
  void shouldTrainAllSeeds() throws Exception {
    Path directory =
        Path.of(System.getProperty("quantail.bars", "target/market-bars")).toAbsolutePath();
    String[] seeds = System.getProperty("quantail.bars.seeds", "101-110").split("-");
    Files.createDirectories(directory);
    List<Callable<Path>> missing = new ArrayList<>();
    for (GeneratedMarket market : MARKETS) {
      for (long seed = Long.parseLong(seeds[0]); seed <= Long.parseLong(seeds[1]); seed++) {
        Path file = directory.resolve(market.name() + "." + seed + ".txt");
        long one = seed;
        if (!Files.exists(file)) {
          missing.add(() -> write(file, market.train(one, bars(market))));
        }
      }
    }
    int slice = Integer.getInteger("quantail.bars.slice", Integer.MAX_VALUE);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Future<Path> done :
          threads.invokeAll(missing.subList(0, Math.min(slice, missing.size())))) {
        assertThat(done.get()).exists();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static int bars(GeneratedMarket market) {
    return market == GeneratedMarket.NOISE ? NOISE_BARS : BARS;
  }

  private static Path write(Path file, Score score) throws IOException {
    StringBuilder text = new StringBuilder();
    line(text, "growth", score.growth());
    line(text, "optimum", score.optimum());
    line(text, "exposure_change", score.exposureChange());
    if (score.calibration() != null) {
      CalibrationSummary calibration = score.calibration();
      line(text, "independent", calibration.independent());
      line(text, "coverage_05", calibration.coverage05());
      line(text, "coverage_20", calibration.coverage20());
      line(text, "coverage_50", calibration.coverage50());
      line(text, "coverage_95", calibration.coverage95());
      line(text, "pit_deviation", calibration.pitDeviation());
    }
    return Files.writeString(file, text);
  }

  private static void line(StringBuilder text, String name, double value) {
    text.append(String.format(Locale.ROOT, "%s %.8f%n", name, value));
  }
}
