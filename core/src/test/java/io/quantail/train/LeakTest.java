package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.tensor.Torch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeakTest {
  private static final int SOAK_WARM_UP = 1_000;
  private static final int SOAK_UPDATES = 20_000;
  private static final double LARGEST_GROWTH = 0.03;

  @Test
  void shouldKeepTheNumberOfNativeObjects() throws IOException, InterruptedException {
    Map<String, long[]> counts = probe();
    assertThat(counts).containsOnlyKeys("scope", "CartPole-v1", "Pendulum-v1", "close");
    counts.forEach(
        (name, count) -> {
          assertThat(count[0]).as("counting works in %s", name).isPositive();
          assertThat(count[1]).as("native objects after %s", name).isEqualTo(count[0]);
        });
  }

  private static Map<String, long[]> probe() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                List.of(
                    java,
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:+UseEpsilonGC",
                    "-Xmx2g",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LeakProbe.class.getName()))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    Map<String, long[]> counts = new TreeMap<>();
    output
        .lines()
        .map(line -> line.split(" "))
        .filter(parts -> parts.length == 3 && parts[1].matches("\\d+"))
        .forEach(
            parts ->
                counts.put(
                    parts[0], new long[] {Long.parseLong(parts[1]), Long.parseLong(parts[2])}));
    return counts;
  }

  /**
   * Native objects are not collected in this JVM, so one that is forgotten stays for good. Speed is
   * told but not judged: it is the machine's as much as ours.
   */
  @Tag("soak")
  @Test
  void shouldKeepResidentMemoryOverThousandsOfUpdates() {
    try (Trainer trainer = LeakProbe.trainer("CartPole-v1")) {
      iterate(trainer, SOAK_WARM_UP);
      double resident = Torch.residentBytes();
      double firstTenth = secondsOf(trainer, SOAK_UPDATES / 10);
      iterate(trainer, SOAK_UPDATES - 2 * (SOAK_UPDATES / 10) - SOAK_WARM_UP);
      double lastTenth = secondsOf(trainer, SOAK_UPDATES / 10);
      double growth = Torch.residentBytes() / resident - 1;
      System.out.printf(
          "%d updates: resident memory %+.2f %%, speed of the last tenth %.1f %% of the first%n",
          SOAK_UPDATES, 100 * growth, 100 * firstTenth / lastTenth);
      assertThat(growth).isLessThan(LARGEST_GROWTH);
    }
  }

  private static double secondsOf(Trainer trainer, int updates) {
    Stopwatch stopwatch = new Stopwatch();
    iterate(trainer, updates);
    return stopwatch.total();
  }

  private static void iterate(Trainer trainer, int times) {
    for (int i = 0; i < times; i++) {
      trainer.iterate();
    }
  }
}
