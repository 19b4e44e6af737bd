package io.quantail.model;

import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationSpace;
import io.quantail.network.ActorCritic;
import io.quantail.network.ParameterLayout;
import io.quantail.network.Parameters;
import io.quantail.state.Restorable;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.value.Critic;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of an agent that training changes: parameters and observation statistics. */
public final class AgentModel implements Restorable {
  private final ObservationSpace observations;
  private final Parameters parameters;
  private final @Nullable ObservationNormalizer
      normalizer; // null when observations are used as they are
  private final ActingModel agent;

  /** A model with initial parameters, drawn with the seed of the run. */
  public AgentModel(RunConfig config, ObservationSpace observations, ActionSpace actionSpace) {
    this.observations = observations;
    Critic critic = Critic.of(config.critic());
    ParameterLayout builder = new ParameterLayout(config.seed());
    ActorCritic network =
        new ActorCritic(
            builder,
            config.network(),
            new ActorCritic.Interface(
                observations.size(),
                actionSpace,
                config.critic().twin() ? 2 : 1,
                critic.startingOutputs(),
                critic.hasMeanHead()));
    parameters = builder.build();
    normalizer =
        config.environment().normalizeObservations()
            ? new ObservationNormalizer(observations, config.environment().observationClip())
            : null;
    agent = new ActingModel(observations, network, critic, parameters, normalizer);
  }

  /** The agent that acts with this state. */
  public ActingModel agent() {
    return agent;
  }

  /** The structure of the network. */
  public ActorCritic network() {
    return agent.network();
  }

  /** The parameters of the network. */
  public Parameters parameters() {
    return parameters;
  }

  /**
   * Adds observations to the statistics of the normaliser.
   *
   * @return the change of the statistics; empty when observations are used as they are
   */
  public Optional<ObservationNormalizer.Drift> observe(float[] rawObservations) {
    return normalizer == null
        ? Optional.empty()
        : Optional.of(
            normalizer.update(rawObservations, rawObservations.length / observations.size()));
  }

  @Override
  public void save(StateMap state) {
    parameters.save(state.child("parameters"));
    if (normalizer != null) {
      StateMap statistics = state.child("normalizer");
      statistics.putDouble("count", normalizer.count());
      statistics.putDoubles("mean", normalizer.mean(), observations.size());
      statistics.putDoubles("variance", normalizer.variance(), observations.size());
    }
  }

  @Override
  public Runnable restoring(StateMap state) {
    try {
      return restoringParts(state);
    } catch (StateException other) {
      throw new StateException(
          "the saved agent does not fit an environment that observes %s and acts in %s: %s; restore"
                  .formatted(observations, network().actionSpace(), other.getMessage())
              + " the environment and the settings of its training",
          other);
    }
  }

  private Runnable restoringParts(StateMap state) {
    Runnable weights = parameters.restoring(state.child("parameters"));
    Runnable scale = () -> {};
    if (normalizer != null) {
      StateMap statistics = state.child("normalizer");
      scale =
          normalizer.restoring(
              statistics.doubleValue("count"),
              statistics.doubles("mean", observations.size()),
              statistics.doubles("variance", observations.size()));
    }
    Runnable statistics = scale;
    return () -> {
      statistics.run();
      weights.run();
    };
  }
}
