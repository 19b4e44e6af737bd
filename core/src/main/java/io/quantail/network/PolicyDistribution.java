package io.quantail.network;

import io.quantail.random.RandomStream;

/**
 * The policy's distribution over actions, set to one sample at a time, with its gradients.
 *
 * <p>Actions are <em>raw</em>: drawn before any squashing. Raw actions are stored and evaluated
 * again, so squashing is never inverted. Not thread-safe.
 */
public interface PolicyDistribution {

  /** Draws are limited to this many standard deviations from the mean. */
  double MAX_SIGMAS = 8;

  /**
   * Sets the distribution to a sample.
   *
   * @param outputs of the action head
   * @param features the head's input: the actor's last hidden layer, used by {@link
   *     StateDependentPolicy} only
   * @param masks contains the allowed choices of the sample; empty if everything is allowed
   * @param maskOffset index of the first of them
   */
  void set(float[] outputs, float[] features, boolean[] masks, int maskOffset);

  /** Sets the distribution to a sample in which everything is allowed. */
  default void set(float[] outputs, float[] features) {
    set(outputs, features, SequenceInput.NO_MASKS, 0);
  }

  /**
   * Log-probability (density of the squashed action) of the raw action at an offset.
   *
   * @throws IllegalArgumentException if the action is masked, as its probability is 0
   */
  double logProbability(float[] raw, int offset);

  /** Exact entropy. */
  double entropy();

  /**
   * Exact {@code KL(stored || this)}; stored by {@link #store}.
   *
   * @throws IllegalArgumentException if the stored distribution gives a masked choice a
   *     probability, as the divergence is infinite
   */
  double divergenceFrom(float[] stored, int offset);

  /**
   * Adds the gradient of {@code byLogProbability log p + byEntropy H + byDivergence KL} for the
   * arguments given to the three methods since {@link #set}. A method whose factor is 0 need not
   * have been called.
   */
  void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence);

  /** Writes the numbers that define the distribution. */
  void store(float[] target, int offset);

  /** Draws a raw action that is independent of all others. */
  void sample(RandomStream stream, float[] raw, int offset);

  /**
   * Draws a raw action with an exploration matrix, where the policy has one.
   *
   * @param exploration drawn by {@link #drawExploration}, of {@link ActorCritic#explorationSize}
   */
  default void sample(RandomStream stream, float[] exploration, float[] raw, int offset) {
    sample(stream, raw, offset);
  }

  /** Draws an exploration matrix, where the policy has one. */
  default void drawExploration(RandomStream stream, float[] exploration) {}

  /**
   * Adds the gradient by the features of the last {@link #addGradient}, through the standard
   * deviations. Training does not use it: there the features of the deviations are constants.
   */
  default void addFeatureGradient(float[] dFeatures) {}

  /** The most likely raw action (the mean before squashing for continuous actions). */
  void mode(float[] raw, int offset);

  /**
   * Gradient, summed over all samples, of parameters that are no outputs of the head, such as
   * standard deviations; empty if there are none.
   */
  float[] beside();
}
