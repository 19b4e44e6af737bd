package io.quantail.network;

import io.quantail.config.ConfigException;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Turns the actor's latent into a distribution, and raw actions into actions of the environment.
 *
 * <p>Continuous actions have {@code sigma = min + (max - min) sigmoid(u)} with one trained {@code
 * u} per dimension: bounded on both sides, so exploration can neither vanish nor explode. With
 * {@code network.exploration: gsde} they have those of {@link StateDependentPolicy}. The outputs of
 * a product of action spaces are those of its parts, one part after the other.
 */
final class PolicyHead {
  /**
   * Small, so that the first policy hardly prefers an action, but large enough to pass a gradient
   * on to the LSTM below.
   */
  private static final double INITIAL_GAIN = 0.1;

  private final ActionSpace space;
  private final List<ActionSpace> parts;
  private final NetworkConfig config;
  private final int output;
  private final int actionSize;
  private final int maskSize;
  private final int boxSize; // dimensions of all boxes
  private final List<BoxMap> boxes;
  private final int sigmaSlot; // the deviations of all boxes, one box after the other

  PolicyHead(ParameterLayout layout, NetworkConfig config, ActionSpace space) {
    this.space = space;
    this.parts = space.parts();
    this.config = config;
    this.actionSize = space.size();
    this.maskSize = space.maskSize();
    this.boxSize =
        parts.stream()
            .filter(part -> part instanceof ActionSpace.Box)
            .mapToInt(ActionSpace::size)
            .sum();
    this.boxes = boxMaps();
    int outputs = parts.stream().mapToInt(PolicyHead::outputs).sum();
    this.output =
        layout.affine(
            List.of(layout.addLinear("actor.head", config.headWidth(), outputs, INITIAL_GAIN)));
    this.sigmaSlot = addDeviations(layout);
  }

  /** Declares the parameters of the standard deviations; -1 without continuous actions. */
  private int addDeviations(ParameterLayout layout) {
    boolean stateDependent = config.exploration() == NetworkConfig.Exploration.GSDE;
    if (stateDependent && space instanceof ActionSpace.Discrete discrete) {
      throw new ConfigException(
          String.format(
                  Locale.ROOT,
                  "network.exploration gsde needs continuous actions, but the environment has %d discrete",
                  discrete.count())
              + " ones; set network.exploration to gaussian");
    }
    if (stateDependent && space instanceof ActionSpace.Product) {
      throw new ConfigException(
          "network.exploration gsde needs an action space that is one box, but the environment has"
              + String.format(
                  Locale.ROOT,
                  " a product of %d parts; set network.exploration to gaussian",
                  parts.size()));
    }
    if (boxSize == 0) {
      return -1;
    }
    if (stateDependent) {
      WeightInitializer start = WeightInitializer.constant((float) config.gsdeLogSigma());
      return layout.add("actor.log_sigma", start, config.headWidth(), boxSize);
    }
    return layout.add("actor.sigma", WeightInitializer.constant(0), boxSize);
  }

  /** Numbers in the exploration matrix of an environment; 0 if each step is drawn by itself. */
  int explorationSize() {
    return config.exploration() == NetworkConfig.Exploration.GSDE
        ? config.headWidth() * boxSize
        : 0;
  }

  /** Number of outputs of the head for a part. */
  static int outputs(ActionSpace part) {
    return part instanceof ActionSpace.Discrete discrete ? discrete.count() : part.size();
  }

  /** Number of floats that store the distribution of a part. */
  static int distributionParameters(ActionSpace part) {
    return part instanceof ActionSpace.Discrete discrete ? discrete.count() : 2 * part.size();
  }

  /** Index of the map from the actor's latent to the outputs of the head. */
  int output() {
    return output;
  }

  /** The distribution that the head's outputs parameterise, set to one sample at a time. */
  PolicyDistribution distribution(ParameterReplica parameters) {
    float[] numbers = sigmaSlot < 0 ? new float[0] : parameters.numbers(sigmaSlot);
    if (!(space instanceof ActionSpace.Product)) {
      return distribution(space, numbers);
    }
    int[] firsts = firstDeviations();
    return new ProductPolicy(
        parts,
        i -> distribution(parts.get(i), Arrays.copyOfRange(numbers, firsts[i], firsts[i + 1])));
  }

  /** Index of the first deviation of each part, and the number of all. */
  private int[] firstDeviations() {
    int[] firsts = new int[parts.size() + 1];
    for (int i = 0; i < parts.size(); i++) {
      firsts[i + 1] = firsts[i] + (parts.get(i) instanceof ActionSpace.Box box ? box.size() : 0);
    }
    return firsts;
  }

  private PolicyDistribution distribution(ActionSpace part, float[] numbers) {
    if (part instanceof ActionSpace.Discrete discrete) {
      return new CategoricalPolicy(discrete.count());
    }
    Squashing squashing = Squashing.of(config.squash(), (ActionSpace.Box) part);
    if (explorationSize() > 0) {
      DeviationBounds bounds = new DeviationBounds(config.sigmaMin(), config.sigmaMax());
      return new StateDependentPolicy(numbers, part.size(), bounds, squashing);
    }
    float[] sigma = new float[numbers.length];
    for (int i = 0; i < sigma.length; i++) {
      sigma[i] = (float) sigma(numbers[i], config.sigmaMin(), config.sigmaMax());
    }
    return new GaussianPolicy(sigma, squashing);
  }

  /**
   * Adds the gradient of {@code sigma} in {@link PolicyDistribution#beside()} to that of {@code u};
   * that of {@link StateDependentPolicy} is by its parameters already.
   */
  void addGradient(ParameterReplica parameters, PolicyDistribution policy) {
    if (sigmaSlot < 0) {
      return;
    }
    float[] gradient = policy.beside();
    if (explorationSize() > 0) {
      parameters.addGradient(sigmaSlot, gradient);
      return;
    }
    float[] numbers = parameters.numbers(sigmaSlot);
    for (int i = 0; i < numbers.length; i++) {
      double share = logistic(numbers[i]);
      numbers[i] = (float) (gradient[i] * range() * share * (1 - share));
    }
    parameters.addGradient(sigmaSlot, numbers);
  }

  private double range() {
    return config.sigmaMax() - config.sigmaMin();
  }

  private static double logistic(double u) {
    return 1 / (1 + StrictMath.exp(-u));
  }

  int actionSize() {
    return actionSize;
  }

  int maskSize() {
    return maskSize;
  }

  boolean gaussian() {
    return space instanceof ActionSpace.Box;
  }

  int distributionParameters() {
    return parts.stream().mapToInt(PolicyHead::distributionParameters).sum();
  }

  /** {@code min + (max - min) sigmoid(u)}. */
  static double sigma(double u, double minimum, double maximum) {
    return minimum + (maximum - minimum) * logistic(u);
  }

  /** Converts raw actions [row * size] into actions of the environment. */
  float[] environmentActions(float[] raw) {
    float[] actions = new float[raw.length];
    environmentActions(raw, actions);
    return actions;
  }

  /** The same without allocating. */
  void environmentActions(float[] raw, float[] actions) {
    System.arraycopy(raw, 0, actions, 0, raw.length);
    for (int i = 0; i < boxes.size(); i++) {
      boxes.get(i).apply(actions, actionSize);
    }
  }

  /**
   * Maps raw actions into a box.
   *
   * @param first index of the box's first number in an action
   * @param low bounds
   * @param high bounds
   */
  private record BoxMap(int first, float[] low, float[] high, Squashing squashing) {

    /** Maps the raw actions of all rows. */
    void apply(float[] actions, int actionSize) {
      for (int row = 0; row < actions.length; row += actionSize) {
        for (int dimension = 0; dimension < low.length; dimension++) {
          int place = row + first + dimension;
          double share = squashing.apply(actions[place]);
          if (squashing != Squashing.SIGMOID) {
            share = 0.5 * (share + 1);
          }
          double action = low[dimension] + share * ((double) high[dimension] - low[dimension]);
          actions[place] = (float) Math.max(low[dimension], Math.min(high[dimension], action));
        }
      }
    }
  }

  private List<BoxMap> boxMaps() {
    List<BoxMap> maps = new ArrayList<>();
    int first = 0;
    for (ActionSpace part : parts) {
      if (part instanceof ActionSpace.Box box) {
        maps.add(new BoxMap(first, box.low(), box.high(), Squashing.of(config.squash(), box)));
      }
      first += part.size();
    }
    return maps;
  }
}
