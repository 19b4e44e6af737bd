package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.RunConfig;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A training whose coefficients follow schedules. */
@Requirement("POL-4")
class ScheduledTrainingTest {
  private static final int UPDATES = 20;
  private static final String STEPS = "training.steps=" + UPDATES * 64; // 4 environments, 16 steps

  @Test
  void shouldLowerTheClipRangeToNearZero() {
    List<Map<String, Double>> updates =
        train(
            "ppo.clipRange={from: 0.2, to: 0, shape: linear}",
            "ppo.entropy.coefficient={from: 0.01, to: 0, shape: cosine}",
            "ppo.cloning.coefficient={from: 0.1, to: 0.3, shape: linear}",
            "critic.coefficient={from: 0.5, to: 0.1, shape: linear}");

    for (int update = 0; update < UPDATES; update++) {
      double progress = (double) update / UPDATES;
      Map<String, Double> metrics = updates.get(update);
      close(metrics, "train/clip_range", 0.2 * (1 - progress));
      close(metrics, "train/clip_range_schedule", 0.2 * (1 - progress));
      close(metrics, "train/ent_coef", 0.005 * (1 + Math.cos(Math.PI * progress)));
      close(metrics, "train/ent_coef_eff", 0.005 * (1 + Math.cos(Math.PI * progress)));
      close(metrics, "train/ent_coef_initial", 0.01);
      close(metrics, "train/ent_coef_final", 0);
      close(metrics, "train/policy_bc_coef", 0.1 + 0.2 * progress);
      close(metrics, "train/vf_coef_effective", 0.5 - 0.4 * progress);
    }
    assertThat(updates.get(UPDATES - 1).get("train/clip_range")).isCloseTo(0.01, within(1e-12));
    assertThat(updates.get(UPDATES - 1).get("train/n_minibatches_done")).isEqualTo(4);
  }

  @Test
  void shouldTrainWithAClipRangeOfZeroAfterTheEnd() {
    List<Map<String, Double>> updates =
        train("training.steps=64", "ppo.clipRange={from: 0.2, to: 0, shape: linear}");

    Map<String, Double> last = updates.get(UPDATES - 1);
    assertThat(last).containsEntry("train/clip_range", 0.0).containsKey("train/policy_loss_ppo");
    assertThat(last.get("train/n_minibatches_done")).isEqualTo(4);
  }

  private static void close(Map<String, Double> metrics, String name, double expected) {
    assertThat(metrics.get(name)).as(name).isCloseTo(expected, within(1e-12));
  }

  private static List<Map<String, Double>> train(String... overrides) {
    List<String> all = new ArrayList<>(List.of(STEPS));
    all.addAll(List.of(overrides));
    RunConfig config = SmallRuns.of(RunConfig.defaults(), all.toArray(String[]::new));
    List<Map<String, Double>> updates = new ArrayList<>();
    try (Trainer trainer = new Trainer(config, EnvironmentRegistry.byName("CartPole-v1"))) {
      for (int update = 0; update < UPDATES; update++) {
        updates.add(trainer.iterate().values());
      }
    }
    return updates;
  }
}
