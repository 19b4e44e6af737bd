package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TrainingTargetsTest {
  /** Just inside the range of advantages, which end at a million before they could overflow. */
  private static final double HUGE = 9e5;

  /** Every step ends an episode and pays, so each return is the reward itself. */
  @Requirement("RET-4")
  @Test
  void shouldNeverClipTargets() {
    ReturnScale scale = new ReturnScale(5, 0.01);
    RunConfig config = SmallRuns.of(RunConfig.defaults());
    try (Experience experience = new Experience(config, index -> new Jackpot(index))) {
      Rollout rollout = experience.collect();
      TrainingTargets estimates = Experience.estimates(rollout, config, scale);
      assertThat(Arrays.stream(estimates.targets()).max().orElseThrow())
          .isCloseTo((HUGE - 5) / 0.01, withinPercentage(1e-6));
      assertThat(Arrays.stream(estimates.targets()).min().orElseThrow())
          .isCloseTo((-HUGE - 5) / 0.01, withinPercentage(1e-6));
      for (int i = 0; i < estimates.targets().length; i++) {
        double back = scale.denormalize(estimates.targets()[i]);
        assertThat(back).isCloseTo(rollout.rewards()[i], withinPercentage(1e-6));
      }
    }
  }

  private static final class Jackpot implements Environment {
    private final double reward;

    Jackpot(int index) {
      reward = index % 2 == 0 ? HUGE : -HUGE;
    }

    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.of(1);
    }

    @Override
    public ActionSpace actionSpace() {
      return new ActionSpace.Discrete(2);
    }

    @Override
    public float[] reset(RandomStream random) {
      return new float[1];
    }

    @Override
    public Step step(Action action) {
      return Step.of(new float[1]).reward(reward).terminated();
    }

    @Override
    public double[] snapshot() {
      return new double[0];
    }

    @Override
    public void restore(double[] state, RandomStream random) {}
  }
}
