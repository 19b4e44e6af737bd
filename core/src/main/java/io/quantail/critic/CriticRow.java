package io.quantail.critic;

import io.quantail.config.CvarMethod;

/**
 * What {@link Critic} says of one sample, in plain numbers, with the gradient of its loss.
 *
 * <p>It is used for one row after the other by one thread. {@code CriticRowTest} holds it against
 * {@link Critic}.
 */
public interface CriticRow {

  /** The expected return; the outputs begin at an offset. */
  double mean(float[] outputs, int offset);

  /** Takes in a distribution for {@link #quantile} and {@link #cvar}. */
  void look(float[] outputs, int offset);

  /** The return that a share {@code level} of the distribution lies below. */
  double quantile(double level);

  /** The mean of the worst share {@code alpha} of the distribution. */
  double cvar(double alpha, CvarMethod method);

  /**
   * The regression loss against a target.
   *
   * @param dOutputs receives the gradient times {@code weight}, at the same offset
   */
  double loss(float[] outputs, int offset, float target, double weight, float[] dOutputs);
}
