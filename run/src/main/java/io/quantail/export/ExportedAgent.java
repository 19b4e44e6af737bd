package io.quantail.export;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.vector.VectorEnvironment;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.RunReader;
import io.quantail.run.snapshot.Manifest;
import io.quantail.state.StateArray;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.util.LinkedHashMap;
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

  /**
   * The agent of a run.
   *
   * @param environments in which it acts
   */
  public static ExportedAgent of(RunReader run, EnvironmentFactory environments) {
    RunConfig config = run.config();
    Manifest manifest = run.snapshot().manifest();
    Map<String, String> provenance = new LinkedHashMap<>();
    provenance.put("seed", String.valueOf(config.seed()));
    provenance.put("update", String.valueOf(manifest.info().update()));
    provenance.put("steps", String.valueOf(manifest.info().steps()));
    provenance.put("settings", manifest.info().configHash());
    provenance.put("snapshot", manifest.sha256());
    try (VectorEnvironment sample = new VectorEnvironment(environments, 1, config.seed())) {
      return new ExportedAgent(
          config,
          sample.observationSize(),
          sample.actionSpace(),
          run.snapshot().state().child("agent"),
          run.scale(),
          provenance);
    }
  }

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
