package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.train.DistributionBars.Outcome;
import io.quantail.train.DistributionBars.Process;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The distribution that the critics predict is the one that comes. One short training here; {@code
 * tools/distribution-bars} runs all, which have the tag {@code learning}.
 */
class DistributionBarsTest {
  private static final long STEPS = 500_000;

  @Test
  @Requirement("DIST-3")
  void shouldPredictTheTailOfIndependentRewards() {
    Outcome outcome = DistributionBars.measure(Process.IID_NORMAL, 1, 1, 24_000);
    assertThat(outcome.ratios().get(0)).isBetween(0.85, 1.15);
  }

  @Test
  @Requirement("DIST-3")
  void shouldUnderstateTheTailWithTheMeanAsTarget() {
    Outcome outcome =
        DistributionBars.measure(Process.IID_NORMAL, 1, 1, 24_000, "critic.targets=GAE");
    assertThat(outcome.ratios().get(0)).isLessThan(0.6);
  }

  @Test
  @Requirement("DIST-4")
  void shouldPredictTheTailOfAChainOfCoins() {
    Outcome outcome =
        DistributionBars.measure(
            Process.COINS, 1, 1, 40_000, "network.memory=NONE", "optimizer.learningRate=0.001");
    assertThat(outcome.ratios().get(0)).isBetween(0.85, 1.15);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1e3})
  @Requirement("DIST-6")
  void shouldNotDependOnTheUnitOfRewards(double scale) {
    double[] one = ratios(1);
    double[] other = ratios(scale);
    assertThat(other[0] / one[0]).isBetween(0.95, 1.05);
  }

  private static double[] ratios(double scale) {
    return DistributionBars.measure(
            Process.IID_NORMAL, scale, 1, 8_192, "returns.stdFloor=1e-9", "returns.scaleCap=1e9")
        .ratios()
        .stream()
        .mapToDouble(ratio -> ratio)
        .toArray();
  }

  /** D8: the start is measured, so that the first targets are of the order of one. */
  @ParameterizedTest
  @ValueSource(strings = {"CartPole-v1", "CoinChain-v0", "Pendulum-v1"})
  @Requirement("DIST-6")
  void shouldFormFirstTargetsOfTheOrderOfOne(String task) {
    RunConfig config =
        SmallRuns.override(RunConfig.defaults(), List.of("environment.name=" + task));
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName(task))) {
      MetricRow row = trainer.iterate();
      double mean = row.values().get("train/ret_mean");
      double std = row.values().get("train/ret_std");
      assertThat(Math.abs(row.values().get("train/target/mean") - mean) / std).isLessThan(3);
      assertThat(row.values().get("train/target/std") / std).isBetween(0.1, 3.0);
      assertThat(row.values().get("train/target/max_abs")).isLessThan(10);
    }
  }

  /** All bars; results of single trainings are kept and not repeated. */
  @Test
  @Tag("learning")
  @Requirement({"DIST-3", "DIST-4", "DIST-5", "DIST-6"})
  void shouldMeetAllBars() throws IOException {
    Path directory =
        Path.of(System.getProperty("quantail.bars", "target/distribution-bars")).toAbsolutePath();
    int left = Integer.getInteger("quantail.bars.slice", Integer.MAX_VALUE);
    Files.createDirectories(directory);
    for (Bar bar : Bar.ALL) {
      for (long seed = 101; seed <= 103; seed++) {
        Path file = directory.resolve(bar.name() + "-" + seed + ".txt");
        if (!Files.exists(file) && left-- > 0) {
          Outcome outcome =
              DistributionBars.measure(
                  bar.process(), bar.scale(), seed, STEPS, bar.overrides().toArray(String[]::new));
          write(file, outcome);
        }
      }
    }
  }

  /** A training of the table of {@code docs/results/distribution.md}. */
  private record Bar(String name, Process process, double scale, List<String> overrides) {
    private static final List<String> LONG = List.of("environment.count=8", "rollout.steps=2048");
    private static final List<String> PLAIN = List.of("network.memory=NONE");
    static final List<Bar> ALL =
        List.of(
            new Bar("iid-normal", Process.IID_NORMAL, 1, List.of()),
            new Bar("iid-normal-no-memory", Process.IID_NORMAL, 1, PLAIN),
            new Bar("iid-normal-gae", Process.IID_NORMAL, 1, List.of("critic.targets=GAE")),
            new Bar("autoregressive", Process.AUTOREGRESSIVE, 1, List.of()),
            new Bar("autoregressive-no-memory", Process.AUTOREGRESSIVE, 1, PLAIN),
            new Bar("jumps", Process.JUMPS, 1, List.of()),
            new Bar("jumps-no-memory", Process.JUMPS, 1, PLAIN),
            new Bar("coins", Process.COINS, 1, List.of()),
            new Bar("coins-no-memory", Process.COINS, 1, PLAIN),
            new Bar("iid-normal-long-rollouts", Process.IID_NORMAL, 1, LONG),
            new Bar("autoregressive-long-rollouts", Process.AUTOREGRESSIVE, 1, LONG),
            new Bar("jumps-long-rollouts", Process.JUMPS, 1, LONG),
            new Bar(
                "iid-normal-categorical",
                Process.IID_NORMAL,
                1,
                List.of("critic.type=CATEGORICAL")),
            new Bar("iid-normal-rewards-1e-3", Process.IID_NORMAL, 1e-3, List.of()),
            new Bar("iid-normal-rewards-1e3", Process.IID_NORMAL, 1e3, List.of()));
  }

  private static void write(Path file, Outcome outcome) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < outcome.ratios().size(); i++) {
      text.append(line("ratio/" + i, outcome.ratios().get(i)));
    }
    outcome.calibration().forEach((name, value) -> text.append(line(name, value)));
    for (Map.Entry<String, Integer> alert : outcome.alerts().entrySet()) {
      text.append(line(alert.getKey(), alert.getValue()));
    }
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String line(String name, double value) {
    return String.format(Locale.ROOT, "%s %.5f%n", name, value);
  }
}
