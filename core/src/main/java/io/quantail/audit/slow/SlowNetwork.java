package io.quantail.audit.slow;

import io.quantail.config.Memory;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.nn.Parameters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The actor-critic once more, one observation at a time in plain double loops.
 *
 * <p>It knows the names and shapes of the parameters and nothing else of the network it is compared
 * with. Parameters are a flat vector, so that finite differences can change one of them.
 */
public final class SlowNetwork {
  private static final double LEAK = 0.01;

  private final Map<String, Integer> offsets = new HashMap<>();
  private final NetworkConfig config;
  private final int inputs;
  private final int actions;
  private final boolean continuous;
  private final int critics;
  private final int criticOutputs;

  /**
   * @param slots names and places of the parameters
   * @param inputs numbers in an observation
   * @param critics number of value heads
   * @param criticOutputs numbers that each of them gives
   */
  public SlowNetwork(
      List<Parameters.Slot> slots,
      NetworkConfig config,
      int inputs,
      ActionSpace space,
      int critics,
      int criticOutputs) {
    slots.forEach(slot -> offsets.put(slot.name(), (int) slot.offset()));
    this.config = config;
    this.inputs = inputs;
    continuous = space instanceof ActionSpace.Box;
    actions = space instanceof ActionSpace.Discrete discrete ? discrete.count() : space.size();
    this.critics = critics;
    this.criticOutputs = criticOutputs;
  }

  /**
   * What the network says of one observation.
   *
   * @param policy logits, or means followed by standard deviations
   * @param critics outputs of each critic
   */
  public record Output(double[] policy, double[][] critics) {}

  /**
   * What the memories hold, [memory and layer][width].
   *
   * @param hidden hidden states
   * @param cell cell states
   */
  public record State(double[][] hidden, double[][] cell) {
    /** A state of its own with the same numbers. */
    public State copy() {
      return new State(copy(hidden), copy(cell));
    }

    private static double[][] copy(double[][] rows) {
      double[][] copy = new double[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        copy[i] = rows[i].clone();
      }
      return copy;
    }
  }

  /** The state at the start of an episode. */
  public State start() {
    int trunks = config.sharedMemory() ? 1 : 2;
    int slots = config.memory() == Memory.LSTM ? trunks * config.layers() : 0;
    return new State(new double[slots][config.hidden()], new double[slots][config.hidden()]);
  }

  /** Takes in one observation and moves the state on, in place. */
  public Output step(double[] parameters, double[] observation, State state) {
    boolean shared = config.sharedMemory();
    double[] actor = trunk(parameters, shared ? "shared" : "actor", observation, state, 0);
    double[] critic =
        shared ? actor : trunk(parameters, "critic", observation, state, config.layers());
    double[][] values = new double[critics][];
    for (int i = 0; i < critics; i++) {
      String name = "critic.head" + (i + 1);
      values[i] = affine(parameters, name + ".weight", name + ".bias", critic, criticOutputs);
    }
    return new Output(policyOf(parameters, actor), values);
  }

  /** The policy's part of {@link #step}: critics with a trunk of their own stay where they are. */
  public double[] policyStep(double[] parameters, double[] observation, State state) {
    String name = config.sharedMemory() ? "shared" : "actor";
    return policyOf(parameters, trunk(parameters, name, observation, state, 0));
  }

  private double[] policyOf(double[] parameters, double[] latent) {
    return policy(
        parameters, affine(parameters, "actor.head.weight", "actor.head.bias", latent, actions));
  }

  /** Logits as they are, means followed by standard deviations. */
  double[] policy(double[] parameters, double[] means) {
    if (!continuous) {
      return means;
    }
    double[] policy = new double[2 * actions];
    double[] deviations = deviations(parameters);
    for (int i = 0; i < actions; i++) {
      policy[i] = means[i];
      policy[actions + i] = deviations[i];
    }
    return policy;
  }

  /** Standard deviations of continuous actions: {@code min + (max - min) sigmoid(u)}. */
  public double[] deviations(double[] parameters) {
    double[] deviations = new double[actions];
    int offset = offsets.get("actor.sigma");
    for (int i = 0; i < actions; i++) {
      double share = sigmoid(parameters[offset + i]);
      deviations[i] = config.sigmaMin() + (config.sigmaMax() - config.sigmaMin()) * share;
    }
    return deviations;
  }

  private double[] trunk(
      double[] parameters, String name, double[] observation, State state, int slot) {
    double[] features = observation;
    if (config.memory() == Memory.LSTM) {
      for (int layer = 0; layer < config.layers(); layer++) {
        features = lstm(parameters, name + ".lstm." + layer, features, state, slot + layer);
      }
    }
    int width = config.headWidth();
    String mlp = name + ".mlp";
    double[] first =
        affine(parameters, mlp + ".first.weight", mlp + ".first.bias", features, width);
    activate(first);
    if (config.headLayers() == 1) {
      return first;
    }
    double[] second =
        affine(parameters, mlp + ".second.weight", mlp + ".second.bias", first, width);
    activate(second);
    double[] skip = affine(parameters, mlp + ".skip.weight", null, features, width);
    for (int i = 0; i < width; i++) {
      second[i] += skip[i];
    }
    return second;
  }

  private double[] lstm(double[] parameters, String name, double[] x, State state, int slot) {
    int width = config.hidden();
    double[] sums = affine(parameters, name + ".weight_ih", name + ".bias_ih", x, 4 * width);
    double[] recurrent =
        affine(parameters, name + ".weight_hh", name + ".bias_hh", state.hidden[slot], 4 * width);
    double[] hidden = new double[width];
    for (int i = 0; i < width; i++) {
      double input = sigmoid(sums[i] + recurrent[i]);
      double forget = sigmoid(sums[width + i] + recurrent[width + i]);
      double candidate = Math.tanh(sums[2 * width + i] + recurrent[2 * width + i]);
      double output = sigmoid(sums[3 * width + i] + recurrent[3 * width + i]);
      state.cell[slot][i] = forget * state.cell[slot][i] + input * candidate;
      hidden[i] = output * Math.tanh(state.cell[slot][i]);
    }
    state.hidden[slot] = hidden;
    return hidden;
  }

  double[] affine(double[] parameters, String weight, String bias, double[] x, int outputs) {
    int weights = offsets.get(weight);
    double[] y = new double[outputs];
    for (int row = 0; row < outputs; row++) {
      double sum = 0;
      for (int column = 0; column < x.length; column++) {
        sum += parameters[weights + row * x.length + column] * x[column];
      }
      y[row] = sum;
    }
    if (bias != null) {
      int biases = offsets.get(bias);
      for (int row = 0; row < outputs; row++) {
        y[row] += parameters[biases + row];
      }
    }
    return y;
  }

  private void activate(double[] values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = activation(values[i]);
    }
  }

  double activation(double x) {
    return switch (config.activation()) {
      case SILU -> x * sigmoid(x);
      case RELU -> Math.max(0, x);
      case TANH -> Math.tanh(x);
      case LEAKY_RELU -> x > 0 ? x : LEAK * x;
      case ELU -> x > 0 ? x : Math.expm1(x);
      case GELU -> x * Numbers.normalDistribution(x);
    };
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  int offset(String name) {
    return offsets.get(name);
  }

  /** Outputs of the action head. */
  int actions() {
    return actions;
  }

  int critics() {
    return critics;
  }

  int criticOutputs() {
    return criticOutputs;
  }

  /** Numbers in an observation. */
  public int inputs() {
    return inputs;
  }
}
