package io.quantail.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.RunConfig;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.AgentModel;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.testing.SmallRuns;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RolloutInfoTest {
  /** Counts its steps in episodes of three; every second step has no "count". */
  private static final class Counting implements Environment {
    private final int index;
    private int steps;

    Counting(int index) {
      this.index = index;
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
      steps++;
      Map<String, Double> info =
          steps % 2 == 0 ? Map.of() : Map.of("count", 100.0 * index + steps, "other", 1.0);
      return Step.of(new float[1]).terminated(steps % 3 == 0).info(info);
    }
  }

  @Test
  void shouldRecordInformationOfStepsAlsoWhereEpisodesEnd() {
    RunConfig config =
        SmallRuns.of(RunConfig.defaults(), "environment.count=2", "network.hidden=2");
    try (VectorEnvironment environments = new VectorEnvironment(Counting::new, 2, 1);
        WorkerPool workers = new WorkerPool(1)) {
      AgentModel model = new AgentModel(config, ObservationSpace.of(1), environments.actionSpace());
      RolloutCollector.Options options =
          new RolloutCollector.Options(1, 5, 5, 2, List.of("count", "absent"));
      Rollout rollout =
          new RolloutCollector(model.agent(), environments, workers, options).collect();
      double none = Double.NaN;
      assertThat(rollout.info("count"))
          .containsExactly(1, 101, none, none, 3, 103, none, none, 5, 105);
      assertThat(rollout.info("absent")).containsOnly(none);
      assertThatThrownBy(() -> rollout.info("other"))
          .hasMessage("the step information other is not recorded, there are [count, absent]");
    }
  }
}
