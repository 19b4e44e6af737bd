package io.quantail.robust;

import io.quantail.kernel.Workspace;
import io.quantail.network.ActorCritic;
import io.quantail.network.NetworkPass;
import io.quantail.network.ParameterReplica;
import io.quantail.network.PolicyDistribution;
import io.quantail.network.SequenceInput;
import io.quantail.random.RandomStream;
import org.jspecify.annotations.Nullable;

/**
 * The change of a policy when its observations are perturbed: {@code KL(pi(s) || pi(s + delta))},
 * one value per row of whole sequences, with the same masks and the same recurrent state before
 * each sequence on both sides. The policy of unperturbed observations is a constant.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, equation 8.
 */
final class PolicyDivergence implements ObservationAttack.Objective {
  private final ActorCritic network;
  private final ParameterReplica parameters;
  private final SequenceInput sequences;
  private final int size; // numbers that describe one row of the policy
  private final float[] clean; // the policy of unperturbed observations, one row behind the other

  /**
   * @param parameters a replica whose workspace is free for the passes of the search
   */
  PolicyDivergence(ActorCritic network, ParameterReplica parameters, SequenceInput sequences) {
    this.network = network;
    this.parameters = parameters;
    this.sequences = sequences;
    size = network.distributionParameters();
    clean = new float[sequences.observations().length * size];
    NetworkPass pass = evaluate(parameters, sequences.observations());
    PolicyDistribution policy = pass.policy();
    for (int row = 0; row < sequences.observations().length; row++) {
      pass.set(policy, row);
      policy.store(clean, row * size);
    }
  }

  /**
   * Searches, at one step of an acting agent, the observations on which its policy differs most
   * from that of the true ones, given its recurrent state.
   *
   * <p>See: Zhang et al. 2020, arXiv:2003.08938, section 4 ("maximal action difference").
   *
   * @param parameters a replica whose gradient is not used
   * @param seen one row per environment
   */
  static float[][] worst(
      ActorCritic network,
      ParameterReplica parameters,
      ObservationAttack attack,
      SequenceInput seen,
      RandomStream random) {
    return attack.apply(
        seen.observations(), new PolicyDivergence(network, parameters, seen), random);
  }

  private NetworkPass evaluate(ParameterReplica replica, float[][] observations) {
    Workspace workspace = replica.workspace();
    workspace.reset();
    return network.evaluatePolicy(workspace, replica, sequences.withObservations(observations));
  }

  /** The gradient of the summed divergence by each of the observations. */
  @Override
  public float[][] gradient(float[][] observations) {
    NetworkPass pass = evaluate(parameters, observations);
    float[][] dActions =
        parameters.workspace().zeros(observations.length, pass.actions()[0].length);
    float[][] dFeatures =
        network.explorationSize() == 0
            ? null
            : parameters.workspace().zeros(observations.length, pass.features()[0].length);
    addDivergence(pass, pass.policy(), 1, dActions, dFeatures);
    return pass.inputGradient(dActions, dFeatures);
  }

  /**
   * Adds {@code factor} times the gradient of the summed divergence to the gradient of a replica,
   * if the divergence is finite.
   *
   * @return the mean divergence of the rows
   */
  double backward(ParameterReplica learning, float[][] observations, double factor) {
    NetworkPass pass = evaluate(learning, observations);
    float[][] dActions = learning.workspace().zeros(observations.length, pass.actions()[0].length);
    PolicyDistribution policy = pass.policy();
    double mean = addDivergence(pass, policy, factor, dActions, null) / observations.length;
    if (Double.isFinite(mean)) {
      pass.backward(policy, dActions, null);
    }
    return mean;
  }

  /**
   * @param dFeatures gets the gradient through the standard deviations; null for none
   */
  private double addDivergence(
      NetworkPass pass,
      PolicyDistribution policy,
      double factor,
      float[][] dActions,
      float @Nullable [][] dFeatures) {
    double sum = 0;
    for (int row = 0; row < dActions.length; row++) {
      pass.set(policy, row);
      sum += policy.divergenceFrom(clean, row * size);
      policy.addGradient(dActions[row], 0, 0, factor);
      if (dFeatures != null) {
        policy.addFeatureGradient(dFeatures[row]);
      }
    }
    return sum;
  }
}
