package io.quantail.nn;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.tensor.Layers.LstmResult;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The recurrent actor-critic: observation → memory → MLP with skip → action and value heads.
 *
 * <p>Actor and critic have a memory and an MLP each, or share both. The object holds the structure
 * only: parameters come from a {@link Parameters.Replica}, results go out as a {@link Forward}, and
 * no call leaves anything behind.
 */
public final class ActorCritic {
  private static final double VALUE_GAIN = 1.0;

  private final int observationSize;
  private final int width;
  private final int layers;
  private final List<Memory> memories; // empty, [shared] or [actor, critic]
  private final Mlp actorMlp;
  private final Mlp criticMlp;
  private final ActionHead actionHead;
  private final List<Linear> valueHeads;

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
    boolean recurrent = network.memory() == io.quantail.config.Memory.LSTM;
    int features = recurrent ? width : observationSize;

    memories = new ArrayList<>();
    String actorName = shared ? "shared" : "actor";
    if (recurrent) {
      memories.add(Memory.declare(builder, actorName + ".lstm", observationSize, width, layers));
    }
    actorMlp = Mlp.declare(builder, actorName + ".mlp", features, width, network.activation());
    actionHead = new ActionHead(builder, network, outside.actionSpace());
    if (recurrent && !shared) {
      memories.add(Memory.declare(builder, "critic.lstm", observationSize, width, layers));
    }
    criticMlp =
        shared
            ? actorMlp
            : Mlp.declare(builder, "critic.mlp", features, width, network.activation());
    valueHeads = new ArrayList<>();
    for (int head = 1; head <= outside.critics(); head++) {
      valueHeads.add(
          Linear.declare(
              builder, "critic.head" + head, width, outside.criticOutputs(), VALUE_GAIN));
    }
  }

  /** The state of all memories at the start of an episode, one column an environment. */
  public RecurrentState initialState(int environments) {
    return RecurrentState.zeros(stateSlots(), environments, width);
  }

  /** How many [environment, width] planes a recurrent state has. */
  public int stateSlots() {
    return memories.size() * layers;
  }

  public int width() {
    return width;
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
    for (int memory = 0; memory < memories.size(); memory++) {
      String owner = memories.size() == 1 ? "shared" : memory == 0 ? "actor" : "critic";
      for (int layer = 0; layer < layers; layer++) {
        names.add(owner + ".lstm." + layer);
      }
    }
    return names;
  }

  /** Moves every environment by one observation [environment, feature]. */
  public Forward step(Parameters.Replica parameters, Tensor observations, RecurrentState state) {
    check(observations, 1);
    List<Tensor> features = new ArrayList<>();
    List<Tensor> hidden = new ArrayList<>();
    List<Tensor> cell = new ArrayList<>();
    for (int memory = 0; memory < memories.size(); memory++) {
      LstmResult result = memories.get(memory).step(parameters, observations, part(state, memory));
      features.add(result.output());
      hidden.add(result.hidden());
      cell.add(result.cell());
    }
    RecurrentState next =
        memories.isEmpty() ? state : new RecurrentState(Tensor.cat(hidden, 0), Tensor.cat(cell, 0));
    return heads(parameters, features, observations, next);
  }

  /** Evaluates whole sequences; the rows of the result are the real samples, in their order. */
  public Forward evaluate(Parameters.Replica parameters, Sequences sequences) {
    Tensor observations = sequences.observations();
    check(observations, 2);
    List<Tensor> features = new ArrayList<>();
    List<Tensor> hidden = new ArrayList<>();
    List<Tensor> cell = new ArrayList<>();
    for (int memory = 0; memory < memories.size(); memory++) {
      LstmResult result =
          memories
              .get(memory)
              .sequence(parameters, observations, part(sequences.initial(), memory));
      features.add(realRows(result.output(), width, sequences.rows()));
      hidden.add(result.hidden());
      cell.add(result.cell());
    }
    RecurrentState next =
        memories.isEmpty()
            ? sequences.initial()
            : new RecurrentState(Tensor.cat(hidden, 0), Tensor.cat(cell, 0));
    Tensor rows = realRows(observations, observationSize, sequences.rows());
    return heads(parameters, features, rows, next);
  }

  /** Rebuilds a distribution from what {@link ActionDistribution#parameters()} gave. */
  public ActionDistribution distribution(Tensor stored) {
    return actionHead.distribution(stored);
  }

  /** What the environment gets for raw actions. */
  public float[] environmentActions(float[] raw) {
    return actionHead.environmentActions(raw);
  }

  private Forward heads(
      Parameters.Replica parameters,
      List<Tensor> features,
      Tensor observations,
      RecurrentState next) {
    Tensor actorFeatures = features.isEmpty() ? observations : features.get(0);
    Tensor criticFeatures = features.isEmpty() ? observations : features.get(features.size() - 1);
    Tensor actorLatent = actorMlp.forward(parameters, actorFeatures);
    Tensor criticLatent =
        criticMlp == actorMlp ? actorLatent : criticMlp.forward(parameters, criticFeatures);
    List<Tensor> critics =
        valueHeads.stream().map(head -> head.forward(parameters, criticLatent)).toList();
    return new Forward(actionHead.distribution(parameters, actorLatent), critics, next);
  }

  private RecurrentState part(RecurrentState state, int memory) {
    long first = (long) memory * layers;
    return new RecurrentState(
        state.hidden().narrow(0, first, layers), state.cell().narrow(0, first, layers));
  }

  private static Tensor realRows(Tensor padded, int features, Tensor rows) {
    return padded.reshape(padded.size(0) * padded.size(1), features).indexSelect(0, rows);
  }

  private void check(Tensor observations, int featureDimension) {
    if (observations.size(featureDimension) != observationSize) {
      throw new IllegalArgumentException(
          "the network takes observations of "
              + observationSize
              + " numbers, was given "
              + observations.size(featureDimension));
    }
  }
}
