package io.quantail.export;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.EpisodicEnvironment;
import io.quantail.env.Step;
import io.quantail.model.AgentModel;
import io.quantail.random.RandomStream;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.Map;

/** Agents with arbitrary weights, and a task whose episodes have arbitrary lengths. */
final class ExportSample {
  static final int SIZE = 3; // numbers in an observation
  private static final double[] CENTRE = {0.5, -20, 1_000_000};
  private static final double[] SPREAD = {0.2, 30, 3};

  private ExportSample() {}

  /** An agent none of whose tensors is regular, with a scale of returns far from one. */
  static ExportedAgent agent(ActionSpace space, List<String> settings) {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of("environment.observationClip=2"), settings.stream())
                .toArray(String[]::new));
    AgentModel model = new AgentModel(config, SIZE, space);
    RandomStream random = RandomStream.of(3, "sample", 0);
    model
        .parameters()
        .change(
            values -> {
              for (int i = 0; i < values.length; i++) {
                values[i] += (float) (0.4 * random.nextGaussian());
              }
            });
    float[] observations = new float[200 * SIZE];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = number(random, i % SIZE);
    }
    model.observe(observations);
    StateMap state = new StateMap();
    model.save(state);
    return new ExportedAgent(
        config, SIZE, space, state, new ReturnScale(-40.5, 7.25), Map.of("steps", "1024"));
  }

  private static float number(RandomStream random, int i) {
    return (float) (CENTRE[i] + SPREAD[i] * random.nextGaussian());
  }

  /** Observations are noise; each step ends the episode with probability 1/20. */
  static Environment task(ActionSpace space) {
    return new EpisodicEnvironment() {
      @Override
      public int observationSize() {
        return SIZE;
      }

      @Override
      public ActionSpace actionSpace() {
        return space;
      }

      @Override
      protected float[] start() {
        return observation();
      }

      @Override
      protected Step advance(float[] action) {
        double reward = random().nextGaussian();
        return random().nextInt(20) == 0
            ? Step.terminated(observation(), reward)
            : Step.running(observation(), reward);
      }

      private float[] observation() {
        float[] observation = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
          observation[i] = number(random(), i);
        }
        return observation;
      }
    };
  }
}
