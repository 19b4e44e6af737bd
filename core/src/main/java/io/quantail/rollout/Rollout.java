package io.quantail.rollout;

import io.quantail.config.RolloutConfig;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * @param maskSize choices that can be masked; 0 if the environments never mask one
   * @param distributionSize numbers that describe the policy's distribution
   * @param width numbers in the hidden state of one recurrent layer
   * @param recurrentLayers recurrent layers of all LSTMs; 0 without one
   * @param critics number of critics
   * @param criticOutputs numbers that a critic gives
   */
  public record Shape(
      int steps,
      int environments,
      int window,
      int observationSize,
      int actionSize,
      int maskSize,
      int distributionSize,
      int width,
      int recurrentLayers,
      int critics,
      int criticOutputs) {

    /** The number of transitions of a rollout. */
    public int transitions() {
      return steps * environments;
    }

    /** Numbers in one environment's hidden state. */
    public int stateSize() {
      return width * recurrentLayers;
    }

    /** Numbers that all critics give per transition. */
    public int allOutputs() {
      return critics * criticOutputs;
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
  final boolean[] masks; // [t, e, choice] whether it was allowed; empty without masks
  final float[] distributions; // [t, e, parameter]
  final float[] logProbabilities; // [t, e]
  final double[] values; // [t, e] normalised units, like all that the critics give
  final float[] criticOutputs; // [t, e, critic, output]
  final double[] rewards; // [t, e]
  final Map<String, double[]> info = new LinkedHashMap<>(); // name to [t, e]; NaN where not given
  final boolean[] episodeStarts; // [t, e] whether observation t is the first of an episode
  final boolean[] terminated; // [t, e]
  final boolean[] truncated; // [t, e]
  final float[] @Nullable [] terminalOutputs; // [t, e][critic, output] where truncated, else null
  final float[][] lastOutputs; // [e][critic, output] of the observation after the last step
  final float[] windowHidden; // [window of time, e, state] before the window's first observation
  final float[] windowCell;

  Rollout(Shape shape, List<String> infoNames) {
    this.shape = shape;
    int transitions = shape.transitions();
    rawObservations = new float[transitions * shape.observationSize()];
    observations = new float[transitions][];
    rawActions = new float[transitions * shape.actionSize()];
    masks = new boolean[transitions * shape.maskSize()];
    distributions = new float[transitions * shape.distributionSize()];
    logProbabilities = new float[transitions];
    values = new double[transitions];
    criticOutputs = new float[transitions * shape.allOutputs()];
    rewards = new double[transitions];
    for (String name : infoNames) {
      double[] recorded = new double[transitions];
      Arrays.fill(recorded, Double.NaN);
      info.put(name, recorded);
    }
    episodeStarts = new boolean[transitions];
    terminated = new boolean[transitions];
    truncated = new boolean[transitions];
    terminalOutputs = new float[transitions][];
    lastOutputs = new float[shape.environments()][];
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

  /** Whether each choice was allowed, [t, e, choice]; empty if the environments never mask one. */
  public boolean[] masks() {
    return masks;
  }

  /** Log-probabilities of the actions when they were taken. */
  public float[] logProbabilities() {
    return logProbabilities;
  }

  /** Values of the observations in normalised units, [t, e]. */
  public double[] values() {
    return values;
  }

  /** Outputs of the critics while acting, [t, e, critic, output], normalised units. */
  public float[] criticOutputs() {
    return criticOutputs;
  }

  /** Rewards, [t, e]. */
  public double[] rewards() {
    return rewards;
  }

  /** Recorded information of the steps, [t, e]; NaN where the environment does not give it. */
  public double[] info(String name) {
    double[] recorded = info.get(name);
    if (recorded == null) {
      throw new IllegalArgumentException(
          "the step information %s is not recorded, there are %s".formatted(name, info.keySet()));
    }
    return recorded;
  }

  /** Observations as the network got them, [t, e][feature]. */
  public float[][] observations() {
    return observations;
  }

  /** Whether a transition ended its episode. */
  public boolean ends(int transition) {
    return terminated[transition] || truncated[transition];
  }

  /** Whether a step ended its episode for good, [t, e]. */
  public boolean[] terminated() {
    return terminated;
  }

  /** Whether a step ended its episode by a limit from outside, [t, e]. */
  public boolean[] truncated() {
    return truncated;
  }

  /** The outputs of all critics for the observation of a transition, as they were while acting. */
  public float[] criticOutputs(int transition) {
    int size = shape.allOutputs();
    return Arrays.copyOfRange(criticOutputs, transition * size, (transition + 1) * size);
  }

  /**
   * Copies the outputs of all critics for what follows a transition: the next observation, the
   * terminal one if the step was truncated, the last one at the end of the rollout.
   */
  public void copyFollowingOutputs(int transition, float[] target) {
    int size = shape.allOutputs();
    int next = transition + shape.environments();
    float[] terminal = terminalOutputs[transition];
    if (terminal != null) {
      System.arraycopy(terminal, 0, target, 0, size);
    } else if (next < shape.transitions()) {
      System.arraycopy(criticOutputs, next * size, target, 0, size);
    } else {
      System.arraycopy(lastOutputs[transition % shape.environments()], 0, target, 0, size);
    }
  }

  /**
   * The inputs of the advantage estimate, in raw units.
   *
   * @param critic reads the values of observations after the steps
   * @param scale converts values to raw units
   */
  public Gae.Input gaeInput(RolloutConfig config, Critic critic, ReturnScale scale) {
    double[] bootstraps = new double[shape.transitions()];
    for (int i = 0; i < bootstraps.length; i++) {
      float[] terminal = terminalOutputs[i];
      bootstraps[i] = terminal == null ? 0 : scale.denormalize((float) critic.value(terminal));
    }
    return new Gae.Input(
        shape.environments(),
        rewards,
        Arrays.stream(values).map(scale::denormalize).toArray(),
        terminated,
        truncated,
        bootstraps,
        Arrays.stream(lastOutputs)
            .mapToDouble(outputs -> scale.denormalize((float) critic.value(outputs)))
            .toArray(),
        config.gamma(),
        config.gaeLambda());
  }
}
