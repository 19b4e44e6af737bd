package io.quantail.export;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.model.AgentModel;
import io.quantail.random.RandomStream;
import io.quantail.run.SpaceFile;
import io.quantail.state.StateMap;
import io.quantail.testing.SmallRuns;
import io.quantail.value.ReturnScale;
import java.util.Map;
import java.util.stream.Stream;

/** Agents with arbitrary weights, and observations for them. */
final class ExportSample {
  private static final ObservationSpace OBSERVATIONS =
      ObservationSpace.named("a", "b", "c").rawPart("as it is", 2);
  private static final double[] CENTRE = {0.5, -20, 1_000_000, 5, 0};
  private static final double[] SPREAD = {0.2, 30, 3, 1, 0.1};

  private ExportSample() {}

  /** An agent none of whose tensors is regular, with a scale of returns far from one. */
  static ExportedAgent agent(ActionSpace space, String... settings) {
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            Stream.concat(Stream.of("environment.observationClip=2"), Stream.of(settings))
                .toArray(String[]::new));
    AgentModel model = new AgentModel(config, OBSERVATIONS, space);
    RandomStream random = RandomStream.of(3, "sample", 0);
    model
        .parameters()
        .change(
            values -> {
              for (int i = 0; i < values.length; i++) {
                values[i] += (float) (0.4 * random.nextGaussian());
              }
            });
    for (int row = 0; row < 200; row++) {
      model.observe(observation(random));
    }
    StateMap state = new StateMap();
    model.save(state);
    return new ExportedAgent(
        config,
        new SpaceFile(OBSERVATIONS, space),
        state,
        new ReturnScale(-40.5, 7.25),
        Map.of("steps", "1024"));
  }

  /** An observation; the third number is so large that a float has no digit behind the point. */
  static float[] observation(RandomStream random) {
    float[] observation = new float[CENTRE.length];
    for (int i = 0; i < CENTRE.length; i++) {
      observation[i] = (float) (CENTRE[i] + SPREAD[i] * random.nextGaussian());
    }
    return observation;
  }

  /** A mask that allows about half of the choices, at least one of each part. */
  static boolean[] mask(ActionSpace space, RandomStream random) {
    boolean[] mask = new boolean[space.maskSize()];
    do {
      for (int k = 0; k < mask.length; k++) {
        mask[k] = random.nextInt(2) == 0;
      }
    } while (space.partWithoutChoice(mask, 0) >= 0);
    return mask;
  }
}
