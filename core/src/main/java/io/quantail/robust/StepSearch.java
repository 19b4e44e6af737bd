package io.quantail.robust;

import io.quantail.kernel.Packing;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.ParameterReplica;
import io.quantail.nn.RecurrentState;
import io.quantail.nn.Sequences;
import io.quantail.random.RandomStream;

/**
 * Searches, at one step of a playing agent, the observations on which its policy differs most from
 * what it would say of the true ones, given what it remembers.
 *
 * <p>See: Zhang et al. 2020, arXiv:2003.08938, section 4 ("maximal action difference").
 *
 * @param network whose policy it is
 * @param parameters a replica whose gradient nobody uses
 * @param attack how to search
 */
record StepSearch(ActorCritic network, ParameterReplica parameters, Attack attack) {

  /** Disturbed observations, one row an environment. */
  float[][] worst(float[][] observations, RecurrentState state, RandomStream random) {
    Sequences now = new Sequences(observations, state, Packing.singleStep(observations.length));
    return attack.apply(observations, new PolicyShift(network, parameters, now), random);
  }
}
