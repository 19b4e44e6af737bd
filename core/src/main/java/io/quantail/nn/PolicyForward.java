package io.quantail.nn;

import io.quantail.tensor.Tensor;

/** What an evaluation of the policy alone yields; see {@link Forward}. */
public final class PolicyForward {
  private final ActionDistribution policy;
  private final Pass pass;

  PolicyForward(ActionDistribution policy, Pass pass) {
    this.policy = policy;
    this.pass = pass;
  }

  /** The distribution over actions, one row a sample. */
  public ActionDistribution policy() {
    return policy;
  }

  /** Adds the gradients that reached the outputs to those of the parameters; once per pass. */
  public void propagate() {
    pass.propagate();
  }

  /**
   * The gradient of the observations, one row a sample, after {@link Tensor#backward()}. Those of
   * the parameters stay as they are.
   */
  public float[][] inputGradient() {
    return pass.inputGradient();
  }
}
