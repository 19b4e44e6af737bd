package io.quantail.model;

import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterReplica;
import io.quantail.network.Parameters;
import io.quantail.value.Critic;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A network with its parameters, its critics and the normaliser of its observations: all that
 * acting needs.
 *
 * <p>It has no method that changes it. During training it reads the current parameters of its
 * {@link AgentModel}. A loaded agent is constant, and several {@linkplain PolicyRunner runners} may
 * act for it in different threads.
 */
public final class ActingModel {
  private final ObservationSpace observationSpace;
  private final int observationSize;
  private final ActorCritic network;
  private final Critic critic;
  private final Parameters parameters;
  private final ParameterReplica inference;
  private final @Nullable ObservationNormalizer
      normalizer; // null when observations are used as they are

  ActingModel(
      ObservationSpace observationSpace,
      ActorCritic network,
      Critic critic,
      Parameters parameters,
      @Nullable ObservationNormalizer normalizer) {
    this.observationSpace = observationSpace;
    this.observationSize = observationSpace.size();
    this.network = network;
    this.critic = critic;
    this.parameters = parameters;
    this.normalizer = normalizer;
    inference = parameters.replica();
  }

  /** The numbers of an observation. */
  public ObservationSpace observationSpace() {
    return observationSpace;
  }

  /** How many numbers an observation has. */
  public int observationSize() {
    return observationSize;
  }

  /**
   * Refuses environments with other spaces than those the agent was made for.
   *
   * @throws EnvironmentException if an observation has another number of values, or other ones are
   *     raw, or if the action space differs
   */
  public void requireSpaces(ObservationSpace observations, ActionSpace actions) {
    if (!Arrays.equals(observations.raw(), observationSpace.raw())
        || !actions.equals(network.actionSpace())) {
      throw new EnvironmentException(
          "the environment observes %s and acts in %s, but the agent was trained to observe %s and to"
                  .formatted(observations, actions, observationSpace)
              + " act in %s; restore the environment, or train a new agent"
                  .formatted(network.actionSpace()));
    }
  }

  /** The structure of the network. */
  public ActorCritic network() {
    return network;
  }

  /** A critic for one thread, to interpret the predictions of the value heads. */
  public Critic critic() {
    return critic.another();
  }

  /** The reader of the parameters for acting. */
  public ParameterReplica inference() {
    return inference;
  }

  /** Another reader of the parameters, for a thread that differentiates. */
  public ParameterReplica reader() {
    return parameters.replica();
  }

  /**
   * The network's input for raw observations.
   *
   * @param raw observations of which those wanted begin at row {@code first}
   * @param rows receives one row each
   */
  public void normalize(float[] raw, int first, float[][] rows) {
    for (int row = 0; row < rows.length; row++) {
      int from = (first + row) * observationSize;
      if (normalizer == null) {
        System.arraycopy(raw, from, rows[row], 0, observationSize);
      } else {
        normalizer.normalize(raw, from, rows[row], 0, 1);
      }
    }
  }
}
