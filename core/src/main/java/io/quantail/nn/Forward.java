package io.quantail.nn;

import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * Everything one evaluation of the network yields; nothing is remembered elsewhere.
 *
 * <p>The tensors are leaves: a loss made of them is differentiated by {@link Tensor#backward()}
 * down to them, and {@link #propagate()} carries their gradients on to the parameters.
 *
 * @param policy the distribution over actions, one row a sample
 * @param critics the outputs of each critic's head in normalised units, [row, output]
 * @param next the recurrent state after the last observation
 * @param pass what the way back needs
 */
public record Forward(
    ActionDistribution policy, List<Tensor> critics, RecurrentState next, Pass pass) {

  /** Adds the gradients that reached the outputs to those of the parameters; once per pass. */
  public void propagate() {
    pass.propagate();
  }
}
