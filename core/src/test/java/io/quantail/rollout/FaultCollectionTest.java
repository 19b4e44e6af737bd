package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.tasks.CartPole;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the learner sees of an environment that failed and was replaced, and of its neighbours. */
@Requirement("ENV-2")
class FaultCollectionTest {
  private static final RunConfig CONFIG =
      SmallRuns.of(RunConfig.defaults(), "environment.faults.policy=restart");
  private static final ReturnScale SCALE = new ReturnScale(3, 2);
  private static final int FAULTY = 1;
  private static final int BAD_STEP = 5; // counted from 0, as rollout steps are

  @Test
  void shouldBootstrapFromTheLastGoodObservationAndLeaveTheOthersAlone() {
    try (Experience healthy = new Experience(CONFIG, index -> new CartPole());
        Experience faulty = new Experience(CONFIG, failingOnce())) {
      Rollout expected = healthy.collect();
      Rollout rollout = faulty.collect();
      int environments = CONFIG.environment().count();
      int fault = BAD_STEP * environments + FAULTY;

      assertThat(rollout.terminated[fault]).isFalse();
      assertThat(rollout.truncated[fault]).isTrue();
      assertThat(rollout.rewards[fault]).isZero();
      assertThat(rollout.terminalOutputs[fault]).isEqualTo(rollout.criticOutputs(fault));
      assertThat(rollout.episodeStarts[fault + environments]).isTrue();
      Gae.Input input = rollout.gaeInput(CONFIG.rollout(), faulty.agent().critic(), SCALE);
      double value = SCALE.denormalize(rollout.values[fault]);
      assertThat(input.bootstrap()[fault]).isEqualTo(value).isNotZero();
      assertThat(Gae.compute(input).advantages()[fault])
          .isEqualTo(CONFIG.rollout().gamma() * value - value);

      for (int e = 0; e < environments; e++) {
        boolean same = Arrays.equals(column(rollout, e), column(expected, e));
        assertThat(same).as("environment %d", e).isEqualTo(e != FAULTY);
      }
    }
  }

  /** Everything of one environment's trajectory. */
  private static double[] column(Rollout rollout, int environment) {
    int environments = rollout.shape().environments();
    int size = rollout.shape().observationSize();
    double[] column = new double[rollout.shape().steps() * (size + 3)];
    int next = 0;
    for (int t = 0; t < rollout.shape().steps(); t++) {
      int index = t * environments + environment;
      for (int i = 0; i < size; i++) {
        column[next++] = rollout.rawObservations[index * size + i];
      }
      column[next++] = rollout.rawActions[index];
      column[next++] = rollout.values[index];
      column[next++] = rollout.rewards[index];
    }
    return column;
  }

  private static EnvironmentFactory failingOnce() {
    AtomicInteger lives = new AtomicInteger();
    return index ->
        index == FAULTY && lives.getAndIncrement() == 0 ? new Failing() : new CartPole();
  }

  private static final class Failing implements Environment {
    private final CartPole cartPole = new CartPole();
    private int steps;

    @Override
    public ObservationSpace observationSpace() {
      return cartPole.observationSpace();
    }

    @Override
    public ActionSpace actionSpace() {
      return cartPole.actionSpace();
    }

    @Override
    public float[] reset(RandomStream random) {
      return cartPole.reset(random);
    }

    @Override
    public Step step(Action action) {
      if (steps++ == BAD_STEP) {
        throw new IllegalStateException("as a test");
      }
      return cartPole.step(action);
    }
  }
}
