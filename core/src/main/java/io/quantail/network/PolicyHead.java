package io.quantail.network;

import io.quantail.config.ConfigException;
import io.quantail.config.NetworkConfig;
import io.quantail.env.ActionSpace;
import java.util.List;

/**
 * Turns the actor's latent into a distribution, and raw actions into actions of the environment.
 *
 * <p>Continuous actions have {@code sigma = min + (max - min) sigmoid(u)} with one trained {@code
 * u} per dimension: bounded on both sides, so exploration can neither vanish nor explode. With
 * {@code network.exploration: gsde} they have those of {@link StateDependentPolicy}.
 */
final class PolicyHead {
  /**
   * Small, so that the first policy hardly prefers an action, but large enough to pass a gradient
   * on to the LSTM below.
   */
  private static final double INITIAL_GAIN = 0.1;

  private final ActionSpace space;
  private final NetworkConfig config;
  private final Squashing squashing;
  private final int output;
  private final int sigmaSlot;

  PolicyHead(ParameterLayout layout, NetworkConfig config, ActionSpace space) {
    this.space = space;
    this.config = config;
    this.squashing =
        space instanceof ActionSpace.Box box ? Squashing.of(config.squash(), box) : Squashing.NONE;
    this.output =
        layout.affine(
            List.of(
                layout.addLinear("actor.head", config.headWidth(), outputs(space), INITIAL_GAIN)));
    this.sigmaSlot = addDeviations(layout);
  }

  /** Declares the parameters of the standard deviations; -1 for discrete actions. */
  private int addDeviations(ParameterLayout layout) {
    boolean stateDependent = config.exploration() == NetworkConfig.Exploration.GSDE;
    if (space instanceof ActionSpace.Discrete discrete) {
      if (stateDependent) {
        throw new ConfigException(
            "network.exploration gsde needs continuous actions, but the environment has %d discrete"
                    .formatted(discrete.count())
                + " ones; set network.exploration to gaussian");
      }
      return -1;
    }
    if (stateDependent) {
      WeightInitializer start = WeightInitializer.constant((float) config.gsdeLogSigma());
      return layout.add("actor.log_sigma", start, config.headWidth(), space.size());
    }
    return layout.add("actor.sigma", WeightInitializer.constant(0), space.size());
  }

  /** Numbers in the exploration matrix of an environment; 0 if each step is drawn by itself. */
  int explorationSize() {
    return config.exploration() == NetworkConfig.Exploration.GSDE
        ? config.headWidth() * space.size()
        : 0;
  }

  private static int outputs(ActionSpace space) {
    return space instanceof ActionSpace.Discrete discrete ? discrete.count() : space.size();
  }

  /** Index of the map from the actor's latent to the outputs of the head. */
  int output() {
    return output;
  }

  /** The distribution that the head's outputs parameterise, set to one sample at a time. */
  PolicyDistribution distribution(ParameterReplica parameters) {
    if (space instanceof ActionSpace.Discrete discrete) {
      return new CategoricalPolicy(discrete.count());
    }
    float[] numbers = parameters.numbers(sigmaSlot);
    if (explorationSize() > 0) {
      DeviationBounds bounds = new DeviationBounds(config.sigmaMin(), config.sigmaMax());
      return new StateDependentPolicy(numbers, space.size(), bounds, squashing);
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
    return space.size();
  }

  boolean gaussian() {
    return space instanceof ActionSpace.Box;
  }

  int distributionParameters() {
    return space instanceof ActionSpace.Discrete discrete ? discrete.count() : 2 * space.size();
  }

  /** {@code min + (max - min) sigmoid(u)}. */
  static double sigma(double u, double minimum, double maximum) {
    return minimum + (maximum - minimum) * logistic(u);
  }

  /** Converts raw actions [row * size] into actions of the environment. */
  float[] environmentActions(float[] raw) {
    if (!(space instanceof ActionSpace.Box box)) {
      return raw.clone();
    }
    float[] actions = new float[raw.length];
    float[] low = box.low();
    float[] high = box.high();
    for (int i = 0; i < raw.length; i++) {
      int dimension = i % low.length;
      double share = squashing.apply(raw[i]);
      if (squashing != Squashing.SIGMOID) {
        share = 0.5 * (share + 1);
      }
      double action = low[dimension] + share * ((double) high[dimension] - low[dimension]);
      actions[i] = (float) Math.max(low[dimension], Math.min(high[dimension], action));
    }
    return actions;
  }
}
