package io.quantail.export;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.util.Map;
import java.util.Objects;

/**
 * All that a model for other programs is made of.
 *
 * @param config settings of the training
 * @param observationSize numbers in an observation
 * @param actionSpace of the environment
 * @param state of the agent, as {@link io.quantail.model.AgentModel#save} writes it
 * @param scale converts predictions of the critics to returns
 * @param provenance where the agent comes from, such as {@code steps} and {@code snapshot}; each
 *     entry becomes metadata of the model
 */
public record ExportedAgent(
    RunConfig config,
    int observationSize,
    ActionSpace actionSpace,
    StateMap state,
    ReturnScale scale,
    Map<String, String> provenance) {

  /** The agent that acts. */
  ActingModel model() {
    AgentModel model = new AgentModel(config, observationSize, actionSpace);
    model.load(state);
    return model.agent();
  }

  /** A tensor of the network. */
  StateArray parameter(String name) {
    return array("parameters", name);
  }

  /** Statistics of the observations. */
  double[] statistics(String name) {
    return array("normalizer", name).toDoubles();
  }

  private StateArray array(String part, String name) {
    return Objects.requireNonNull(state.child(part).entries().get(name), name);
  }
}
