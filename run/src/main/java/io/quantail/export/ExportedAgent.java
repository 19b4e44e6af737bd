package io.quantail.export;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.SpaceFile;
import io.quantail.run.snapshot.SnapshotInfo;
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
 * @param spaces observations and actions
 * @param state of the agent, as {@link AgentModel#save} writes it
 * @param scale converts predictions of the critics to returns
 * @param provenance where the agent comes from; each entry becomes metadata of the model
 */
public record ExportedAgent(
    RunConfig config,
    SpaceFile spaces,
    StateMap state,
    ReturnScale scale,
    Map<String, String> provenance) {

  /**
   * The entries of {@link #provenance}.
   *
   * @param info of the snapshot that has the agent
   * @param hash of the agent or its snapshot
   */
  public static Map<String, String> provenance(RunConfig config, SnapshotInfo info, String hash) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("seed", String.valueOf(config.seed()));
    entries.put("updates", String.valueOf(info.update()));
    entries.put("steps", String.valueOf(info.steps()));
    entries.put("settings", info.configHash());
    entries.put("sha256", hash);
    return entries;
  }

  int observationSize() {
    return spaces.observations().size();
  }

  ActionSpace actionSpace() {
    return spaces.actions();
  }

  /** The agent that acts. */
  ActingModel model() {
    AgentModel model = new AgentModel(config, spaces.observations(), actionSpace());
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
