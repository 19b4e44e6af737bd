package io.quantail.nn;

import io.quantail.tensor.Tensor;

/**
 * What an evaluation of the policy alone yields; see {@link Forward}.
 *
 * @param policy the distribution over actions, one row a sample
 * @param pass what the way back needs
 */
public record PolicyForward(ActionDistribution policy, Pass pass) {

  /** Adds the gradients that reached the outputs to those of the parameters; once per pass. */
  public void propagate() {
    pass.propagate();
  }

  /**
   * The gradient of the observations, one row a sample, after {@link Tensor#backward()}. The
   * kernels leave the parameters' gradients alone, but a loss that depends on the spread of a
   * Gaussian reaches its leaf in the replica: whoever asks for this gradient uses a replica of his
   * own.
   */
  public float[][] inputGradient() {
    return pass.inputGradient();
  }
}
