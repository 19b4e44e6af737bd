package io.quantail.nn;

import io.quantail.random.RandomStream;

/**
 * The policy's distribution over actions for one sample after the other, with its gradients.
 *
 * <p>Actions are <em>raw</em>: what was drawn before any squashing. Raw actions are stored and
 * evaluated again, so nothing ever has to be inverted. An object serves one thread at a time.
 */
public interface PolicyDistribution {

  /** Draws further than this many sigma from the mean are brought back to it. */
  double MAX_SIGMAS = 8;

  /** Moves to the sample that the head's outputs describe. */
  void set(float[] outputs);

  /** Log-probability (density of the squashed action) of the raw action at an offset. */
  double logProbability(float[] raw, int offset);

  /** Exact entropy. */
  double entropy();

  /** Exact {@code KL(stored || this)}; stored by {@link #store}. */
  double divergenceFrom(float[] stored, int offset);

  /**
   * Adds the gradient of {@code byLogProbability log p + byEntropy H + byDivergence KL} for the
   * arguments given to the three methods since {@link #set}. A method whose factor is 0 need not
   * have been called.
   */
  void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence);

  /** Writes what is needed to rebuild the distribution. */
  void store(float[] target, int offset);

  /** Draws a raw action. */
  void sample(RandomStream stream, float[] raw, int offset);

  /** The most likely raw action (the mean before squashing for continuous actions). */
  void mode(float[] raw, int offset);

  /**
   * Gradient gathered over all samples for trained numbers beside the head's outputs; empty when
   * there are none.
   */
  float[] beside();
}
