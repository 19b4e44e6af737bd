package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.TimeLimitWrapper;
import io.quantail.env.tasks.CartPole;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A run that was killed and resumed measures the same calibration, bit for bit. */
@Requirement("DIST-5")
class CalibrationResumeTest {
  private static final EnvironmentFactory CART_POLE =
      index -> new TimeLimitWrapper(new CartPole(), 30);
  private static final int UPDATES = 24;

  /** Horizon 9, rollouts of 4 steps: every prediction waits over several rollouts. */
  private final RunConfig config =
      SmallRuns.of(
          RunConfig.defaults(),
          "rollout.gamma=0.7",
          "rollout.steps=4",
          "ppo.sequenceLength=4",
          "ppo.batchSize=64",
          "environment.count=64");

  @Test
  void shouldMeasureTheSameAfterResume() {
    List<Map<String, Double>> whole = new ArrayList<>();
    StateMap killed = new StateMap();
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      for (int i = 0; i < UPDATES; i++) {
        whole.add(calibration(trainer));
        if (i == 7) {
          trainer.save(killed);
        }
      }
    }
    List<Map<String, Double>> resumed = new ArrayList<>(whole.subList(0, 8));
    try (Trainer trainer = new Trainer(config, CART_POLE)) {
      assertThat(trainer.load(killed)).isTrue();
      while (resumed.size() < UPDATES) {
        resumed.add(calibration(trainer));
      }
    }
    assertThat(resumed).isEqualTo(whole);
    assertThat(whole.subList(8, UPDATES))
        .anySatisfy(row -> assertThat(row).containsKey("train/calibration/coverage_05"));
    assertThat(whole.stream().mapToDouble(row -> row.getOrDefault(LAG, 0.0)).max().orElseThrow())
        .isGreaterThan(0.5);
  }

  private static final String LAG = "train/calibration/lag_updates";

  private static Map<String, Double> calibration(Trainer trainer) {
    Map<String, Double> found = new TreeMap<>(trainer.iterate().values());
    found.keySet().removeIf(name -> !name.matches("train/calibration/.*|warn/.*(tail|calib).*"));
    return found;
  }
}
