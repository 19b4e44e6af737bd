package io.quantail.rollout;

import io.quantail.config.RolloutConfig;
import java.util.Arrays;

/**
 * The recorded transitions, {@code steps x environments} of them.
 *
 * <p>Arrays are time-major: transition (t, e) stands at {@code t * environments + e}. The collector
 * fills it once; afterwards it is only read.
 */
public final class Rollout {

  /**
   * The sizes of a rollout.
   *
   * @param steps steps per environment
   * @param environments environments side by side
   * @param window steps between two stored recurrent states; divides {@code steps}
   * @param observationSize numbers in an observation
   * @param actionSize numbers in a raw action
   * @param distributionSize numbers that describe the policy's distribution
   * @param width numbers in the hidden state of one recurrent layer
   * @param recurrentLayers recurrent layers of all LSTMs; 0 without one
   * @param keptCritics critics whose outputs are stored; 0 when they are not needed
   * @param criticOutputs numbers that a critic gives
   */
  public record Shape(
      int steps,
      int environments,
      int window,
      int observationSize,
      int actionSize,
      int distributionSize,
      int width,
      int recurrentLayers,
      int keptCritics,
      int criticOutputs) {

    /** The number of transitions of a rollout. */
    public int transitions() {
      return steps * environments;
    }

    /** Numbers in one environment's hidden state. */
    public int stateSize() {
      return width * recurrentLayers;
    }

    /** Numbers stored of the critics per transition. */
    int keptOutputs() {
      return keptCritics * criticOutputs;
    }

    /** How many windows a rollout has: {@code steps / window} for each environment. */
    public int windows() {
      return steps / window * environments;
    }
  }

  private final Shape shape;
  final float[] rawObservations; // [t, e, feature] as the environments gave them
  final float[][] observations; // [t, e][feature] as the network got them
  final float[] rawActions; // [t, e, size]
  final float[] distributions; // [t, e, parameter]
  final float[] logProbabilities; // [t, e]
  final double[] values; // [t, e] raw units
  final float[] criticOutputs; // [t, e, critic, output] normalised units; empty if not kept
  final double[] rewards; // [t, e]
  final double[] rewardCosts; // [t, e] costs as a fraction; NaN where not given
  final boolean[] episodeStarts; // [t, e] whether observation t is the first of an episode
  final boolean[] terminated; // [t, e]
  final boolean[] truncated; // [t, e]
  final double[] bootstraps; // [t, e] value of the terminal observation where truncated
  final double[] lastValues; // [e] value of the observation after the last step
  final float[] windowHidden; // [window of time, e, state] before the window's first observation
  final float[] windowCell;

  Rollout(Shape shape) {
    this.shape = shape;
    int transitions = shape.transitions();
    rawObservations = new float[transitions * shape.observationSize()];
    observations = new float[transitions][];
    rawActions = new float[transitions * shape.actionSize()];
    distributions = new float[transitions * shape.distributionSize()];
    logProbabilities = new float[transitions];
    values = new double[transitions];
    criticOutputs = new float[transitions * shape.keptOutputs()];
    rewards = new double[transitions];
    rewardCosts = new double[transitions];
    Arrays.fill(rewardCosts, Double.NaN);
    episodeStarts = new boolean[transitions];
    terminated = new boolean[transitions];
    truncated = new boolean[transitions];
    bootstraps = new double[transitions];
    lastValues = new double[shape.environments()];
    windowHidden = new float[shape.windows() * shape.stateSize()];
    windowCell = new float[shape.windows() * shape.stateSize()];
  }

  /** The sizes of this rollout. */
  public Shape shape() {
    return shape;
  }

  /** Observations as the environments gave them, [t, e, feature]. */
  public float[] rawObservations() {
    return rawObservations;
  }

  /** Actions as the policy drew them, [t, e, size]. */
  public float[] rawActions() {
    return rawActions;
  }

  /** Log-probabilities of the actions when they were taken. */
  public float[] logProbabilities() {
    return logProbabilities;
  }

  /** Values of the observations in raw units, [t, e]. */
  public double[] values() {
    return values;
  }

  /** Outputs of the critics while acting, [t, e, critic, output], normalised units. */
  public float[] criticOutputs() {
    return criticOutputs;
  }

  /** Whether the episode ended with the transition, [t, e]. */
  public boolean[] terminated() {
    return terminated;
  }

  /** Whether the episode was cut off after the transition, [t, e]. */
  public boolean[] truncated() {
    return truncated;
  }

  /** Rewards, [t, e]. */
  public double[] rewards() {
    return rewards;
  }

  /** Costs as a fraction; NaN where the environment does not give them. */
  public double[] rewardCosts() {
    return rewardCosts;
  }

  /** The inputs of the advantage estimate. */
  public Gae.Input gaeInput(RolloutConfig config) {
    return new Gae.Input(
        shape.environments(),
        rewards,
        values,
        terminated,
        truncated,
        bootstraps,
        lastValues,
        config.gamma(),
        config.gaeLambda());
  }
}
