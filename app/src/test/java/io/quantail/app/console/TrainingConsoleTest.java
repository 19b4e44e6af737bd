package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.metrics.MetricRow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Progress without a terminal, as under a build or in a file. */
class TrainingConsoleTest {
  private long nanos;

  @Test
  void shouldShowLastReturnWhenNoEpisodeEnded() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TrainingConsole console = console(100, bytes);
    console.onUpdate(row(50, 12.5));
    console.onUpdate(row(100, Double.NaN));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("return 12.5", "entropy 0.50", "/s"));
  }

  @Test
  void shouldPrintALineBetweenTheOthers() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TrainingConsole console = console(100, bytes);
    console.onUpdate(row(50, 12.5));
    console.print("quantail: warning: something");
    console.onUpdate(row(100, 12.5));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .hasSize(3)
        .element(1)
        .isEqualTo("quantail: warning: something");
  }

  private TrainingConsole console(long total, ByteArrayOutputStream bytes) {
    ProgressLine progress =
        new ProgressLine(
            new PrintStream(bytes, true, StandardCharsets.UTF_8),
            false,
            () -> nanos += 10_000_000_000L);
    progress.start(0, total);
    return new TrainingConsole(new Messages(), progress);
  }

  /** A row after {@code steps} steps at 100 steps a second; without return when NaN. */
  private static MetricRow row(long steps, double episodeReturn) {
    TreeMap<String, Double> values = new TreeMap<>();
    values.put("train/policy_entropy", 0.5);
    values.put("time/fps", 100.0);
    if (!Double.isNaN(episodeReturn)) {
      values.put("rollout/ep_rew_mean", episodeReturn);
    }
    return new MetricRow(steps, steps, steps / 100.0, values);
  }
}
