package io.quantail.network;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.kernel.Workspace;
import io.quantail.network.ParameterLayout.Linear;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The recurrent actor-critic: observation → LSTM → feed-forward layers → action and value heads.
 *
 * <p>Actor and critic have a {@link Trunk} each or share one. The object holds the structure only:
 * parameters and layers come from a {@link ParameterReplica}, results are returned as a {@link
 * NetworkPass}, and no call changes this object.
 */
public final class ActorCritic {
  /** Small, so that training starts with the same distribution in all states. */
  private static final double VALUE_GAIN = 0.01;

  private final int observationSize;
  private final ActionSpace actionSpace;
  private final int width;
  private final int layers;
  private final List<Trunk> trunks; // [shared] or [actor, critic]
  private final boolean recurrent;
  private final PolicyHead actionHead;
  private final List<Linear> valueHeads;
  private final List<Linear> meanHeads; // none, or one per value head
  private final int values; // the value heads side by side

  /**
   * Sizes of inputs and outputs.
   *
   * @param observationSize numbers in one observation
   * @param actionSpace the environment's action space
   * @param critics number of independent value heads
   * @param startingOutputs what each value head gives before training, up to small differences
   * @param meanHead whether each value head has an output for the expected return beside it
   */
  public record Interface(
      int observationSize,
      ActionSpace actionSpace,
      int critics,
      double[] startingOutputs,
      boolean meanHead) {}

  /** Declares the network's parameters with the layout. */
  public ActorCritic(ParameterLayout layout, NetworkConfig network, Interface outside) {
    this.observationSize = outside.observationSize();
    this.actionSpace = outside.actionSpace();
    this.width = network.hidden();
    this.layers = network.layers();
    boolean shared = network.sharedMemory();
    this.recurrent = network.memory() == NetworkConfig.Memory.LSTM;
    trunks = new ArrayList<>();
    trunks.add(Trunk.declare(layout, shared ? "shared" : "actor", observationSize, 0, network));
    actionHead = new PolicyHead(layout, network, outside.actionSpace());
    if (!shared) {
      trunks.add(Trunk.declare(layout, "critic", observationSize, layers, network));
    }
    valueHeads = new ArrayList<>();
    meanHeads = new ArrayList<>();
    List<Linear> sideBySide = new ArrayList<>();
    int inputs = network.headWidth();
    for (int head = 1; head <= outside.critics(); head++) {
      valueHeads.add(
          layout.addLinear("critic.head" + head, inputs, outside.startingOutputs(), VALUE_GAIN));
      sideBySide.add(valueHeads.get(head - 1));
      if (outside.meanHead()) {
        meanHeads.add(layout.addLinear("critic.mean" + head, inputs, new double[1], VALUE_GAIN));
        sideBySide.add(meanHeads.get(head - 1));
      }
    }
    values = layout.affine(sideBySide);
  }

  /** What the agent may do. */
  public ActionSpace actionSpace() {
    return actionSpace;
  }

  /** The recurrent state at the start of an episode, one row per environment. */
  public RecurrentState initialState(int environments) {
    return RecurrentState.zeros(stateSlots(), environments, width);
  }

  /** Number of LSTM layers, each with one [environment, width] plane of a recurrent state. */
  public int stateSlots() {
    return recurrent ? trunks.size() * layers : 0;
  }

  public int width() {
    return width;
  }

  /** Number of components of a raw action. */
  public int actionSize() {
    return actionHead.actionSize();
  }

  /** Number of choices in a sample that can be masked. */
  public int maskSize() {
    return actionHead.maskSize();
  }

  /** Whether actions are drawn from a Gaussian alone. */
  public boolean gaussian() {
    return actionHead.gaussian();
  }

  /** Number of floats that store the policy's distribution of one sample. */
  public int distributionParameters() {
    return actionHead.distributionParameters();
  }

  /** The value heads in order, one per critic. */
  public List<Linear> valueHeads() {
    return List.copyOf(valueHeads);
  }

  /** All heads whose outputs follow the return scale: value heads and mean heads. */
  public List<Linear> rescaledHeads() {
    return Stream.concat(valueHeads.stream(), meanHeads.stream()).toList();
  }

  /** Names of all LSTM layers: the prefixes of their parameters. */
  public List<String> recurrentLayers() {
    List<String> names = new ArrayList<>();
    for (int slot = 0; slot < stateSlots(); slot++) {
      String owner = trunks.size() == 1 ? "shared" : slot < layers ? "actor" : "critic";
      names.add(owner + ".lstm." + slot % layers);
    }
    return names;
  }

  /** Evaluates one observation per environment, given as one row each. */
  public NetworkPass step(
      Workspace workspace,
      ParameterReplica parameters,
      float[][] observations,
      RecurrentState state) {
    return evaluate(
        workspace, parameters, SequenceInput.step(observations, state, SequenceInput.NO_MASKS));
  }

  /** Evaluates whole sequences; the rows of the result are those of the observations. */
  public NetworkPass evaluate(
      Workspace workspace, ParameterReplica parameters, SequenceInput sequences) {
    return pass(workspace, parameters, trunks, values, sequences);
  }

  /** Evaluates the policy alone, which costs less than {@link #evaluate}. */
  public NetworkPass evaluatePolicy(
      Workspace workspace, ParameterReplica parameters, SequenceInput sequences) {
    return pass(workspace, parameters, trunks.subList(0, 1), NetworkPass.NO_VALUES, sequences);
  }

  /**
   * Makes a pass that has not run yet. The contents of the observations and of the planes of the
   * initial state may change between its runs.
   */
  public NetworkPass prepare(
      Workspace workspace, ParameterReplica parameters, SequenceInput sequences) {
    return prepare(workspace, parameters, trunks, values, sequences);
  }

  private NetworkPass pass(
      Workspace workspace,
      ParameterReplica parameters,
      List<Trunk> used,
      int valueMap,
      SequenceInput sequences) {
    NetworkPass pass = prepare(workspace, parameters, used, valueMap, sequences);
    pass.run(sequences.masks());
    return pass;
  }

  private NetworkPass prepare(
      Workspace workspace,
      ParameterReplica parameters,
      List<Trunk> used,
      int valueMap,
      SequenceInput sequences) {
    check(sequences);
    List<Trunk.Trace> traces = new ArrayList<>();
    for (Trunk trunk : used) {
      traces.add(
          trunk.prepare(workspace, parameters, sequences.packing(), sequences.observations()));
    }
    return new NetworkPass(workspace, parameters, used, traces, actionHead, valueMap, sequences);
  }

  /** Numbers in the exploration matrix of an environment; 0 if each step is drawn by itself. */
  public int explorationSize() {
    return actionHead.explorationSize();
  }

  /** Converts raw actions of one or more environments into actions of the environments. */
  public void environmentActions(float[] raw, float[] actions) {
    actionHead.environmentActions(raw, actions);
  }

  /** Converts raw actions into actions of the environment. */
  public float[] environmentActions(float[] raw) {
    return actionHead.environmentActions(raw);
  }

  private void check(SequenceInput sequences) {
    int masks = sequences.masks().length;
    int expected = sequences.packing().rows() * actionHead.maskSize();
    if (masks != 0 && masks != expected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the masks of %d samples have %d values, were given %d",
              sequences.packing().rows(),
              expected,
              masks));
    }
    for (float[] observation : sequences.observations()) {
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
