package io.quantail.env;

import java.util.Arrays;
import java.util.Locale;

/**
 * The rows that a {@link BatchedEnvironment} fills in, one for each of its episodes.
 *
 * <p>The arrays are live and keep their length. Before a step all rewards are 0, all flags false
 * and all masks true, and the observations are those of the step before.
 */
public final class BatchedStep {
  private final int count;
  private final int observationSize;
  private final int maskSize;
  private final float[] observations;
  private final double[] rewards;
  private final boolean[] terminated;
  private final boolean[] truncated;
  private final boolean[] masks;

  /**
   * Allocates rows for a simulator.
   *
   * @param environment whose rows they are
   */
  public BatchedStep(BatchedEnvironment environment) {
    this.count = environment.count();
    this.observationSize = environment.observationSpace().size();
    this.maskSize = environment.masks() ? environment.actionSpace().maskSize() : 0;
    this.observations = new float[count * observationSize];
    this.rewards = new double[count];
    this.terminated = new boolean[count];
    this.truncated = new boolean[count];
    this.masks = new boolean[count * maskSize];
    clear();
  }

  /** Sets rewards and flags to zero and false, and all masks to true. */
  public void clear() {
    Arrays.fill(rewards, 0);
    Arrays.fill(terminated, false);
    Arrays.fill(truncated, false);
    Arrays.fill(masks, true);
  }

  /** {@return the number of rows} */
  public int count() {
    return count;
  }

  /** {@return the observations, [row, component]; where an episode has just ended, its last one} */
  public float[] observations() {
    return observations;
  }

  /** {@return the reward of the step in each row} */
  public double[] rewards() {
    return rewards;
  }

  /**
   * {@return where the episode has ended by itself, so that the value of its last state is zero}
   */
  public boolean[] terminated() {
    return terminated;
  }

  /** {@return where the episode was stopped, so that the value of its last state still counts} */
  public boolean[] truncated() {
    return truncated;
  }

  /**
   * {@return the choices that are allowed at the observations, [row, choice]; empty if {@link
   * BatchedEnvironment#masks} is false}
   */
  public boolean[] masks() {
    return masks;
  }

  /**
   * Sets the observation of a row.
   *
   * @param row index of the episode
   * @param observation as many numbers as an observation has
   */
  public void observation(int row, float... observation) {
    if (observation.length != observationSize) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "observation of row %d had %d components, must have %d",
              row,
              observation.length,
              observationSize));
    }
    System.arraycopy(observation, 0, observations, row * observationSize, observationSize);
  }

  /** {@return the number of values in a row of {@link #masks}} */
  public int maskSize() {
    return maskSize;
  }
}
