package io.quantail.audit.reference;

import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reference implementation of the actor-critic: one observation at a time, in double precision.
 *
 * <p>It uses the names and shapes of the parameters of the network under test, and none of its
 * code. Parameters are a flat vector, so that finite differences can change one of them.
 */
public final class ReferenceNetwork {
  private static final double LEAK = 0.01;
  private static final double STEP = 1e-7;

  private final Map<String, Integer> offsets = new HashMap<>();
  private final NetworkConfig config;
  private final List<ReferencePolicy.Part> parts;
  private final int outputs; // of the action head
  private final int actions; // dimensions of all boxes
  private final int critics;
  private final int points;
  private final boolean meanHead;

  /**
   * @param slots names and offsets of the parameters
   * @param critics number of value heads
   * @param points outputs of each value head
   * @param meanHead whether each value head has an output for the expected return beside it
   */
  public ReferenceNetwork(
      List<Parameters.Slot> slots,
      NetworkConfig config,
      ActionSpace space,
      int critics,
      int points,
      boolean meanHead) {
    slots.forEach(slot -> offsets.put(slot.name(), (int) slot.offset()));
    this.config = config;
    parts = new ReferencePolicy(space, config.squash()).parts();
    outputs = parts.stream().mapToInt(part -> part.continuous() ? part.size() : part.count()).sum();
    actions =
        parts.stream()
            .filter(ReferencePolicy.Part::continuous)
            .mapToInt(ReferencePolicy.Part::size)
            .sum();
    this.critics = critics;
    this.points = points;
    this.meanHead = meanHead;
  }

  /**
   * Outputs of the network for one observation.
   *
   * @param policy logits, or means followed by standard deviations, of each part of the action
   * @param critics outputs of each critic
   * @param features the actor's last hidden layer
   */
  public record Output(double[] policy, double[][] critics, double[] features) {}

  /**
   * Recurrent state, [trunk and layer][width].
   *
   * @param hidden hidden states
   * @param cell cell states
   */
  public record State(double[][] hidden, double[][] cell) {
    /** Copies the state. */
    public State copy() {
      return new State(copy(hidden), copy(cell));
    }

    private static double[][] copy(double[][] rows) {
      return Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
    }
  }

  /** The state at the start of an episode. */
  public State start() {
    int slots = trunks().size() * memoryLayers();
    return new State(new double[slots][config.hidden()], new double[slots][config.hidden()]);
  }

  /** Processes one observation and updates the recurrent state in place. */
  public Output step(double[] parameters, double[] observation, State state) {
    double[] actor = trunk(parameters, 0, observation, state).latent;
    double[] critic =
        config.sharedMemory() ? actor : trunk(parameters, 1, observation, state).latent;
    double[][] values = new double[critics][];
    Arrays.setAll(values, i -> critic(parameters, i, critic));
    return new Output(policy(parameters, actor), values, actor);
  }

  /** The policy of {@link #step}; the state of a separate critic trunk is not updated. */
  public double[] policyStep(double[] parameters, double[] observation, State state) {
    return policy(parameters, trunk(parameters, 0, observation, state).latent);
  }

  /** Outputs of one critic: its points, and after them its mean head if it has one. */
  double[] critic(double[] parameters, int index, double[] latent) {
    double[] outputs = affine(parameters, "critic.head" + (index + 1), latent, points);
    if (!meanHead) {
      return outputs;
    }
    double[] both = Arrays.copyOf(outputs, points + 1);
    both[points] = affine(parameters, "critic.mean" + (index + 1), latent, 1)[0];
    return both;
  }

  /** Logits, or means followed by standard deviations, of each part of the action. */
  double[] policy(double[] parameters, double[] latent) {
    double[] head = affine(parameters, "actor.head", latent, outputs);
    return policyOf(head, deviations(parameters, latent));
  }

  /** A policy whose standard deviations follow from given features; the means stay as they are. */
  double[] withFeatures(double[] parameters, double[] policy, double[] features) {
    return policyOf(outputsOf(policy), deviations(parameters, features));
  }

  /** Puts outputs of the action head and standard deviations together, part by part. */
  public double[] policyOf(double[] head, double[] deviations) {
    double[] policy = new double[outputs + actions];
    int output = 0;
    int deviation = 0;
    for (ReferencePolicy.Part part : parts) {
      int own = part.continuous() ? part.size() : part.count();
      System.arraycopy(head, output, policy, part.number(), own);
      output += own;
      if (part.continuous()) {
        System.arraycopy(deviations, deviation, policy, part.number() + own, own);
        deviation += own;
      }
    }
    return policy;
  }

  /** The numbers of a policy that are outputs of the action head, or slopes in the same order. */
  public double[] outputsOf(double[] policy) {
    return parts.stream()
        .flatMapToDouble(
            part ->
                Arrays.stream(part.of(policy))
                    .limit(part.continuous() ? part.size() : part.count()))
        .toArray();
  }

  /** The standard deviations of a policy, or slopes in the same order. */
  public double[] deviationsOf(double[] policy) {
    return parts.stream()
        .filter(ReferencePolicy.Part::continuous)
        .flatMapToDouble(part -> Arrays.stream(part.of(policy)).skip(part.size()))
        .toArray();
  }

  /** Whether the noise of an action is a function of the features. */
  public boolean stateDependent() {
    return config.exploration() == NetworkConfig.Exploration.GSDE;
  }

  /** {@code σ} of one feature and action. */
  double sigma(double[] parameters, int feature, int action) {
    return Math.exp(parameters[offset("actor.log_sigma") + feature * actions + action]);
  }

  /** Standard deviations {@code sqrt(sum φ² σ²)} before they are bounded. */
  double[] spreads(double[] parameters, double[] features) {
    double[] spreads = new double[actions];
    for (int j = 0; j < actions; j++) {
      for (int i = 0; i < features.length; i++) {
        spreads[j] += Math.pow(features[i] * sigma(parameters, i, j), 2);
      }
      spreads[j] = Math.sqrt(spreads[j]);
    }
    return spreads;
  }

  /** A bounded standard deviation: exponential approaches of both bounds, else the identity. */
  double bounded(double spread) {
    double low = config.sigmaMin();
    double high = config.sigmaMax();
    double atLow = Math.min(low / 4, (high - low) / 2);
    double atHigh = Math.min(high / 5, (high - low) / 2);
    if (spread < low + atLow) {
      return low + atLow * Math.exp((spread - low) / atLow - 1);
    }
    return spread > high - atHigh ? high - atHigh * Math.exp((high - spread) / atHigh - 1) : spread;
  }

  /**
   * Derivatives by every {@code log σ}, given those by means and standard deviations: {@code ds / d
   * log σ = φ² σ² / s} before the bounds.
   */
  public double[] logSigmaSlopes(double[] parameters, double[] features, double[] slopes) {
    double[] spreads = spreads(parameters, features);
    double[] byLogSigma = new double[features.length * actions];
    for (int k = 0; k < byLogSigma.length; k++) {
      int j = k % actions;
      double part = features[k / actions] * sigma(parameters, k / actions, j);
      double bySpread = slopes[actions + j] * ReferenceMath.slope(STEP, spreads[j], this::bounded);
      byLogSigma[k] = bySpread * part * part / spreads[j];
    }
    return byLogSigma;
  }

  /** Draws an exploration matrix, [feature * action]. */
  public double[] explorationMatrix(double[] parameters, RandomStream random) {
    double[] matrix = new double[config.headWidth() * actions];
    for (int k = 0; k < matrix.length; k++) {
      matrix[k] = sigma(parameters, k / actions, k % actions) * random.nextGaussian();
    }
    return matrix;
  }

  /** The noise of an exploration matrix in standard deviations. */
  public double[] noise(double[] parameters, double[] features, double[] matrix) {
    double[] noise = spreads(parameters, features);
    for (int j = 0; j < actions; j++) {
      double sum = 0;
      for (int i = 0; i < features.length; i++) {
        sum += features[i] * matrix[i * actions + j];
      }
      noise[j] = sum / noise[j];
    }
    return noise;
  }

  /**
   * Standard deviations of continuous actions: {@code min + (max - min) sigmoid(u)}, or those of
   * state-dependent exploration.
   */
  public double[] deviations(double[] parameters, double[] features) {
    if (stateDependent()) {
      return Arrays.stream(spreads(parameters, features)).map(this::bounded).toArray();
    }
    double[] deviations = new double[actions];
    if (actions == 0) {
      return deviations;
    }
    int offset = Objects.requireNonNull(offsets.get("actor.sigma"));
    for (int i = 0; i < actions; i++) {
      double fraction = sigmoid(parameters[offset + i]);
      deviations[i] = config.sigmaMin() + (config.sigmaMax() - config.sigmaMin()) * fraction;
    }
    return deviations;
  }

  /** Names of the trunks: the actor's comes first, the critics' last. */
  List<String> trunks() {
    return config.sharedMemory() ? List.of("shared") : List.of("actor", "critic");
  }

  /** LSTM layers of each trunk. */
  int memoryLayers() {
    return config.memory() == NetworkConfig.Memory.LSTM ? config.layers() : 0;
  }

  /** Intermediate results of one step of one trunk, as the backward pass needs them. */
  static final class Trace {
    final List<LstmTrace> memory = new ArrayList<>();
    double[] features = {};
    double[] firstSum = {};
    double[] first = {};
    double[] secondSum = {};
    double[] latent = {};
  }

  /**
   * Intermediate results of one LSTM layer.
   *
   * @param gates input, forget, candidate, output
   */
  record LstmTrace(
      double[] input,
      double[] hiddenBefore,
      double[] cellBefore,
      double[][] gates,
      double[] cell) {}

  /** Runs one trunk on one observation and updates its recurrent state. */
  Trace trunk(double[] parameters, int trunk, double[] observation, State state) {
    String name = trunks().get(trunk);
    Trace trace = new Trace();
    trace.features = observation;
    for (int layer = 0; layer < memoryLayers(); layer++) {
      String lstm = name + ".lstm." + layer;
      trace.features = lstm(parameters, lstm, trace, state, trunk * config.layers() + layer);
    }
    int width = config.headWidth();
    trace.firstSum = affine(parameters, name + ".mlp.first", trace.features, width);
    trace.first = activated(trace.firstSum);
    trace.latent = trace.first;
    if (config.headLayers() == 2) {
      trace.secondSum = affine(parameters, name + ".mlp.second", trace.first, width);
      trace.latent = activated(trace.secondSum);
      double[] skip = affine(parameters, name + ".mlp.skip.weight", null, trace.features, width);
      for (int i = 0; i < width; i++) {
        trace.latent[i] += skip[i];
      }
    }
    return trace;
  }

  private double[] lstm(double[] parameters, String name, Trace trace, State state, int slot) {
    int width = config.hidden();
    double[] x = trace.features;
    double[] hidden = state.hidden[slot];
    double[] before = state.cell[slot];
    double[] sums = affine(parameters, name + ".weight_ih", name + ".bias_ih", x, 4 * width);
    double[] recurrent =
        affine(parameters, name + ".weight_hh", name + ".bias_hh", hidden, 4 * width);
    double[][] gates = new double[4][width];
    double[] cell = new double[width];
    double[] next = new double[width];
    for (int i = 0; i < width; i++) {
      for (int gate = 0; gate < 4; gate++) {
        double sum = sums[gate * width + i] + recurrent[gate * width + i];
        gates[gate][i] = gate == 2 ? Math.tanh(sum) : sigmoid(sum);
      }
      cell[i] = gates[1][i] * before[i] + gates[0][i] * gates[2][i];
      next[i] = gates[3][i] * Math.tanh(cell[i]);
    }
    trace.memory.add(new LstmTrace(x, hidden, before, gates, cell));
    state.hidden[slot] = next;
    state.cell[slot] = cell;
    return next;
  }

  private double[] affine(double[] parameters, String layer, double[] x, int outputs) {
    return affine(parameters, layer + ".weight", layer + ".bias", x, outputs);
  }

  /**
   * @param bias name of the bias; null for a layer without one
   */
  private double[] affine(
      double[] parameters, String weight, @Nullable String bias, double[] x, int outputs) {
    int weights = Objects.requireNonNull(offsets.get(weight));
    double[] y = new double[outputs];
    for (int row = 0; row < outputs; row++) {
      double sum = 0;
      for (int column = 0; column < x.length; column++) {
        sum += parameters[weights + row * x.length + column] * x[column];
      }
      y[row] =
          bias == null ? sum : sum + parameters[Objects.requireNonNull(offsets.get(bias)) + row];
    }
    return y;
  }

  private double[] activated(double[] sums) {
    return Arrays.stream(sums).map(this::activation).toArray();
  }

  double activation(double x) {
    return switch (config.activation()) {
      case SILU -> x * sigmoid(x);
      case RELU -> Math.max(0, x);
      case TANH -> Math.tanh(x);
      case LEAKY_RELU -> x > 0 ? x : LEAK * x;
      case ELU -> x > 0 ? x : Math.expm1(x);
      case GELU -> x * ReferenceMath.normalDistribution(x);
    };
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  int offset(String name) {
    return Objects.requireNonNull(offsets.get(name));
  }

  /** Outputs of the action head. */
  int outputs() {
    return outputs;
  }

  int critics() {
    return critics;
  }

  /** Outputs of a value head without its mean head. */
  int points() {
    return points;
  }
}
