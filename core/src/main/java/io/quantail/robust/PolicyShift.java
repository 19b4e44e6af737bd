package io.quantail.robust;

import io.quantail.nn.ActionDistribution;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Parameters;
import io.quantail.nn.PolicyForward;
import io.quantail.nn.Sequences;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;

/**
 * How far a policy moves when what it sees is disturbed: {@code KL(pi(s) || pi(s + delta))} summed
 * over the rows of whole sequences, with the same state before each sequence on both sides.
 *
 * <p>It differentiates with respect to observations, on a replica of the parameters of its own, so
 * that nothing is left in the gradients that training uses. Needs an open scope.
 */
final class PolicyShift implements Attack.Objective {
  private final ActorCritic network;
  private final Parameters.Replica parameters;
  private final Sequences sequences;
  private final Tensor clean; // what describes the policy of undisturbed observations

  PolicyShift(ActorCritic network, Parameters.Replica parameters, Sequences sequences) {
    this.network = network;
    this.parameters = parameters;
    this.sequences = sequences;
    try (Gradients off = Gradients.off()) {
      clean = network.policy(parameters, sequences).policy().parameters();
    }
  }

  /** The policy of undisturbed observations, which gets no gradient. */
  ActionDistribution cleanPolicy() {
    return network.distribution(clean);
  }

  /** The same sequences with other observations. */
  Sequences disturbed(float[][] observations) {
    return new Sequences(observations, sequences.initial(), sequences.packing());
  }

  @Override
  public float[][] gradient(float[][] observations) {
    try (Scope scope = Scope.open()) {
      PolicyForward forward = network.policy(parameters, disturbed(observations));
      cleanPolicy().divergence(forward.policy()).sum().backward();
      return forward.inputGradient();
    }
  }
}
