package io.quantail.nn;

import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * Everything one evaluation of the network yields; nothing is remembered elsewhere.
 *
 * @param policy the distribution over actions, one row a sample
 * @param critics the outputs of each critic's head in normalised units, [row, output]
 * @param next the recurrent state after the last observation
 */
public record Forward(ActionDistribution policy, List<Tensor> critics, RecurrentState next) {}
