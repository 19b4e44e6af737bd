package io.quantail.nn;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.Packing;
import io.quantail.kernel.Workspace;
import java.util.ArrayList;
import java.util.List;

/**
 * The recurrent actor-critic: observation → memory → feed-forward layers → action and value heads.
 *
 * <p>Actor and critic have a memory and an MLP each, or share both. The object holds the structure
 * only: parameters come from a {@link Parameters.Replica}, results are returned as a {@link
 * NetworkPass}, and no call leaves anything behind.
 */
public final class ActorCritic {
  private static final double VALUE_GAIN = 1.0;

  private final int observationSize;
  private final int width;
  private final int layers;
  private final List<Trunk> trunks; // [shared] or [actor, critic]
  private final boolean recurrent;
  private final ActionHead actionHead;
  private final List<Linear> valueHeads;
  private final int values; // the value heads side by side

  /**
   * What the network has to fit.
   *
   * @param observationSize numbers in one observation
   * @param actionSpace what the environment accepts
   * @param critics number of independent value heads
   * @param criticOutputs numbers each value head gives
   */
  public record Interface(
      int observationSize, ActionSpace actionSpace, int critics, int criticOutputs) {}

  /** Declares the network's parameters with the builder. */
  public ActorCritic(Parameters.Builder builder, NetworkConfig network, Interface outside) {
    this.observationSize = outside.observationSize();
    this.width = network.hidden();
    this.layers = network.layers();
    boolean shared = network.sharedMemory();
    this.recurrent = network.memory() == io.quantail.config.Memory.LSTM;
    trunks = new ArrayList<>();
    trunks.add(trunk(builder, shared ? "shared" : "actor", network));
    actionHead = new ActionHead(builder, network, outside.actionSpace());
    if (!shared) {
      trunks.add(trunk(builder, "critic", network));
    }
    valueHeads = new ArrayList<>();
    for (int head = 1; head <= outside.critics(); head++) {
      valueHeads.add(
          Linear.declare(
              builder,
              "critic.head" + head,
              network.headWidth(),
              outside.criticOutputs(),
              VALUE_GAIN));
    }
    values = builder.affine(valueHeads);
  }

  private Trunk trunk(Parameters.Builder builder, String name, NetworkConfig network) {
    Memory memory =
        recurrent
            ? Memory.declare(builder, name + ".lstm", observationSize, width, layers)
            : Memory.NONE;
    int features = recurrent ? width : observationSize;
    Mlp mlp = Mlp.declare(builder, name + ".mlp", features, network);
    return new Trunk(memory, mlp, trunks.size() * layers);
  }

  /** The state of all memories at the start of an episode, one column an environment. */
  public RecurrentState initialState(int environments) {
    return RecurrentState.zeros(stateSlots(), environments, width);
  }

  /** How many [environment, width] planes a recurrent state has. */
  public int stateSlots() {
    return recurrent ? trunks.size() * layers : 0;
  }

  public int width() {
    return width;
  }

  /** How many numbers a raw action has. */
  public int actionSize() {
    return actionHead.actionSize();
  }

  /** Whether actions are drawn from a Gaussian. */
  public boolean gaussian() {
    return actionHead.gaussian();
  }

  /** How many numbers describe one row of the policy's distribution. */
  public int distributionParameters() {
    return actionHead.distributionParameters();
  }

  /** The value heads in order, for output-preserving rescaling and gradient monitoring. */
  public List<Linear> valueHeads() {
    return List.copyOf(valueHeads);
  }

  /** Names of all recurrent layers, as their parameters are prefixed. */
  public List<String> recurrentLayers() {
    List<String> names = new ArrayList<>();
    for (int slot = 0; slot < stateSlots(); slot++) {
      String owner = trunks.size() == 1 ? "shared" : slot < layers ? "actor" : "critic";
      names.add(owner + ".lstm." + slot % layers);
    }
    return names;
  }

  /** Moves every environment by one observation, given as one row per environment. */
  public NetworkPass step(
      Workspace workspace,
      Parameters.Replica parameters,
      float[][] observations,
      RecurrentState state) {
    return evaluate(
        workspace,
        parameters,
        new Sequences(observations, state, Packing.singleStep(observations.length)));
  }

  /** Evaluates whole sequences; the rows of the result are those of the observations. */
  public NetworkPass evaluate(
      Workspace workspace, Parameters.Replica parameters, Sequences sequences) {
    return pass(workspace, parameters, trunks, values, sequences);
  }

  /** Evaluates the policy alone, which costs less than {@link #evaluate}. */
  public NetworkPass evaluatePolicy(
      Workspace workspace, Parameters.Replica parameters, Sequences sequences) {
    return pass(workspace, parameters, trunks.subList(0, 1), NetworkPass.NO_VALUES, sequences);
  }

  private NetworkPass pass(
      Workspace workspace,
      Parameters.Replica parameters,
      List<Trunk> used,
      int valueMap,
      Sequences sequences) {
    check(sequences.observations());
    return new NetworkPass(workspace, parameters, used, actionHead, valueMap, sequences);
  }

  /** The policy's distribution with the standard deviations that the parameters have now. */
  public PolicyDistribution policy(Parameters.Replica parameters) {
    return actionHead.distribution(parameters);
  }

  /** What the environment gets for raw actions. */
  public float[] environmentActions(float[] raw) {
    return actionHead.environmentActions(raw);
  }

  private void check(float[][] observations) {
    for (float[] observation : observations) {
      if (observation.length != observationSize) {
        throw new IllegalArgumentException(
            "the network takes observations of "
                + observationSize
                + " numbers, was given "
                + observation.length);
      }
    }
  }
}
