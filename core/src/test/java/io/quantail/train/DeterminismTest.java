package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.metrics.MetricRow;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("ENV-3")
class DeterminismTest {
  private static final int ITERATIONS = 6;

  @ParameterizedTest
  @CsvSource({
    "CartPole-v1, critic.type=quantile, critic.clip.mode=disable",
    "Pendulum-v1, critic.type=quantile, critic.clip.mode=mean-and-variance",
    "CartPole-v1, critic.type=categorical, critic.clip.mode=mean-only",
    "MaskedRecall-v0, critic.type=quantile, robust.mode=state-adversarial",
    "RepeatMixed-v0, critic.type=quantile, robust.mode=state-adversarial",
  })
  void shouldGiveTheSameBitsWhateverTheNumberOfThreads(String task, String type, String clip) {
    Outcome one = run(task, 1, 1, type, clip);
    assertThat(run(task, 1, 1, type, clip)).usingRecursiveComparison().isEqualTo(one);
    assertThat(run(task, 1, 2, type, clip)).usingRecursiveComparison().isEqualTo(one);
    assertThat(one.metrics().get(0)).hasSizeGreaterThan(30);
  }

  @Test
  void shouldDependOnTheSeed() {
    assertThat(run("CartPole-v1", 1, 1).parameters())
        .isNotEqualTo(run("CartPole-v1", 2, 1).parameters());
  }

  /** The parameters after a few iterations, and every metric but those about time. */
  private record Outcome(float[] parameters, List<Map<String, Double>> metrics) {}

  private static Outcome run(String task, long seed, int threads, String... overrides) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "seed=" + seed,
                "training.threads=" + threads,
                "optimizer.learningRate=0.003",
                "rollout.steps=32",
                "ppo.microbatches=3"));
    all.addAll(List.of(overrides));
    RunConfig config = SmallRuns.of(RunConfig.defaults(), all.toArray(String[]::new));
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName(task))) {
      List<Map<String, Double>> metrics = new ArrayList<>();
      for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        MetricRow row = trainer.iterate();
        Map<String, Double> values = new TreeMap<>(row.values());
        values.keySet().removeIf(name -> name.startsWith("time/"));
        metrics.add(values);
      }
      return new Outcome(trainer.model().parameters().values().clone(), metrics);
    }
  }
}
