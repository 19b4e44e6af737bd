package io.quantail.nn;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Tensor;

/**
 * The policy's distribution over actions, one row a sample.
 *
 * <p>It speaks of <em>raw</em> actions: what was drawn before any squashing. Raw actions are stored
 * and re-evaluated, so nothing ever has to be inverted.
 */
public interface ActionDistribution {

  /** Log-probability (density of the squashed action) of raw actions [row, size]; shape [row]. */
  Tensor logProbability(Tensor raw);

  /** Exact entropy, one value a sample; shape [row]. Callers must not sum it again. */
  Tensor entropy();

  /** Exact {@code KL(this || other)}, one value a sample; shape [row]. */
  Tensor divergence(ActionDistribution other);

  /** Everything needed to rebuild this distribution; shape [row, parameter]. */
  Tensor parameters();

  /** Raw actions [row * size], row i drawn from stream {@code first + i}. */
  float[] sample(RandomStream[] streams, int first);

  /** The most likely raw action (the mean before squashing for continuous actions). */
  float[] mode();
}
