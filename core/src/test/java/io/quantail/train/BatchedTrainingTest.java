package io.quantail.train;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import io.quantail.env.CountingSimulator;
import io.quantail.env.EnvironmentFactory;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import io.quantail.testing.SmallRuns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A training on simulators is that on separate environments. */
@Requirement("SIM-1")
class BatchedTrainingTest {
  private static final RunConfig CONFIG =
      SmallRuns.override(
          RunConfig.defaults(),
          List.of(
              "environment.count=4",
              "network.hidden=8",
              "rollout.steps=16",
              "rollout.lanes=2",
              "ppo.batchSize=32",
              "ppo.sequenceLength=8",
              "ppo.epochs=2"));

  /** Two simulators, so that their groups are those of two lanes. */
  private static final BatchedEnvironmentFactory SIMULATORS =
      new BatchedEnvironmentFactory() {
        @Override
        public BatchedEnvironment createBatch(int count) {
          return new CountingSimulator(count);
        }

        @Override
        public int simulators(int count) {
          return Math.min(2, count);
        }
      };

  @Test
  void shouldLearnTheSameBitsAsInSeparateEnvironments() {
    EnvironmentFactory separate = SIMULATORS::create;
    StateMap batched = trained(SIMULATORS);
    StateMap alone = trained(separate);
    assertThat(batched.names()).isEqualTo(alone.names());
    for (String name : alone.names()) {
      assertThat(batched.entries().get(name)).as(name).isEqualTo(alone.entries().get(name));
    }
  }

  private static StateMap trained(EnvironmentFactory factory) {
    StateMap state = new StateMap();
    try (Trainer trainer = new Trainer(CONFIG, factory)) {
      for (int update = 0; update < 3; update++) {
        trainer.iterate();
      }
      trainer.save(state);
    }
    return state;
  }

  @Test
  void shouldResumeWithNewEpisodes() {
    StateMap state = trained(SIMULATORS);
    try (Trainer trainer = new Trainer(CONFIG, SIMULATORS)) {
      assertThat(trainer.load(state)).as("running episodes go on").isFalse();
      trainer.iterate();
      assertThat(trainer.steps()).isEqualTo(4L * 16 * 4);
    }
  }
}
