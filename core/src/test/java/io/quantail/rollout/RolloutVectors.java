package io.quantail.rollout;

import io.quantail.config.RunConfig;
import io.quantail.env.ObservationSpace;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.AgentModel;
import io.quantail.network.Parameters;
import io.quantail.parallel.WorkerPool;
import io.quantail.rollout.ScriptedEnvironment.Script;
import io.quantail.testing.SmallRuns;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import io.quantail.value.QuantileCritic;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The discipline of recurrent states, with the real collector and a real LSTM that is made to be
 * the vector's toy cell {@code h' = h / 2 + x}, {@code V = 2 h'}.
 *
 * <p>Input and output gates are open, the forget gate stands at one half, and signals are so small
 * that tanh is the identity. An initial state other than zero becomes an offset.
 */
public final class RolloutVectors implements VectorFamily {
  private static final double SMALL = 0x1p-15;
  private static final float OPEN = 40;

  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of("recurrent_state_discipline", this::checkStates);
  }

  private void checkStates(VectorCase vector) {
    double[] observations = vector.doubles("observations");
    double offset = vector.number("initial_state");
    Rollout rollout = collect(vector, observations, offset);
    double[] states = new double[observations.length];
    Arrays.setAll(states, t -> rollout.windowHidden[2 * t + 1] / SMALL + offset);
    int last = vector.integer("done_after_index");
    double[] values = rollout.values;
    double bootstrap = new QuantileCritic(1, 1, true).value(rollout.terminalOutputs[last]);
    vector.expect("pre_step_states", states);
    vector.expect("values", values);
    vector.expect("terminal_bootstrap", bootstrap);
    vector.expect("state_after_done", states[last + 1]);
    double[] firstEpisode = Arrays.copyOf(values, last + 1);
    vector.expectNot("values_double_consumed", "values", firstEpisode);
    vector.expectNot("bootstrap_double_consumed", "terminal_bootstrap", bootstrap);
  }

  private static Rollout collect(VectorCase vector, double[] observations, double offset) {
    int last = vector.integer("done_after_index");
    float[] first = toFloats(Arrays.copyOf(observations, last + 2));
    first[last + 1] = (float) vector.number("terminal_observation");
    float[] second = toFloats(Arrays.copyOfRange(observations, last + 1, observations.length + 1));
    List<Script> scripts =
        List.of(new Script(first, vector.flags("truncated")[0]), new Script(second, false));
    int steps = observations.length;
    RunConfig config =
        SmallRuns.of(
            RunConfig.defaults(),
            "environment.count=1",
            "environment.normalizeObservations=false",
            "network.hidden=1",
            "critic.quantiles=1",
            "critic.twin=false",
            "rollout.steps=" + steps,
            "rollout.lanes=1",
            "ppo.sequenceLength=1",
            "ppo.batchSize=1",
            "ppo.microbatches=1");
    try (VectorEnvironment environments =
            new VectorEnvironment(index -> new ScriptedEnvironment(scripts, 0), 1, 1);
        WorkerPool workers = new WorkerPool(1)) {
      AgentModel model = new AgentModel(config, ObservationSpace.of(1), environments.actionSpace());
      model.parameters().set(toyCell(model.parameters(), offset));
      RolloutCollector.Options options = new RolloutCollector.Options(1, steps, 1, 1, List.of());
      return new RolloutCollector(model.agent(), environments, workers, options).collect();
    }
  }

  private static float[] toyCell(Parameters parameters, double offset) {
    float[] flat = new float[parameters.values().length];
    for (Parameters.Slot slot : parameters.slots()) {
      int at = (int) slot.offset();
      switch (slot.name()) {
        case "critic.lstm.0.weight_ih" -> flat[at + 2] = (float) SMALL;
        case "critic.lstm.0.bias_ih" -> {
          flat[at] = OPEN;
          flat[at + 2] = (float) (-0.5 * offset * SMALL);
          flat[at + 3] = OPEN;
        }
        case "critic.mlp.skip.weight" -> flat[at] = 1;
        case "critic.mean1.weight" -> flat[at] = (float) (2 / SMALL);
        case "critic.mean1.bias" -> flat[at] = (float) (2 * offset);
        default -> {}
      }
    }
    return flat;
  }

  private static float[] toFloats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }
}
