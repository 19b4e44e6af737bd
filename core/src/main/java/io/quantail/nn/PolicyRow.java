package io.quantail.nn;

import io.quantail.random.RandomStream;

/**
 * The policy's distribution of one row in plain numbers, with its gradient: what {@link
 * ActionDistribution} is for whole tensors, without an operator of libtorch for every step.
 *
 * <p>It is used for one row after the other by one thread. {@code PolicyRowTest} holds it against
 * {@link ActionDistribution}.
 */
public interface PolicyRow {

  /** Moves to the row that the head's outputs stand for. */
  void set(float[] outputs);

  /** Log-probability (density of the squashed action) of the raw action at an offset. */
  double logProbability(float[] raw, int offset);

  /** Exact entropy. */
  double entropy();

  /** Exact {@code KL(stored || this)}; stored by {@link #store}. */
  double divergenceFrom(float[] stored, int offset);

  /**
   * Adds the gradient of {@code byLogProbability log p + byEntropy H + byDivergence KL} for the
   * arguments given to the three methods since {@link #set}.
   */
  void addGradient(
      float[] dOutputs, double byLogProbability, double byEntropy, double byDivergence);

  /** Writes what is needed to rebuild the distribution. */
  void store(float[] target, int offset);

  /** Draws a raw action. */
  void sample(RandomStream stream, float[] raw, int offset);

  /** Gradient gathered for trained numbers beside the head's outputs; empty when there are none. */
  float[] beside();
}
