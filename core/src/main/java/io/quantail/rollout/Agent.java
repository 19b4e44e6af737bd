package io.quantail.rollout;

import io.quantail.config.CriticConfig;
import io.quantail.config.RunConfig;
import io.quantail.critic.CategoricalCritic;
import io.quantail.critic.Critic;
import io.quantail.critic.QuantileCritic;
import io.quantail.env.ActionSpace;
import io.quantail.env.ObservationNormalizer;
import io.quantail.nn.ActorCritic;
import io.quantail.nn.Parameters;
import io.quantail.state.StateMap;
import java.util.Arrays;

/**
 * All that is needed to act: the network, its numbers, and how observations are brought to unit
 * scale.
 */
public final class Agent {
  private final int observationSize;
  private final Critic critic;
  private final Parameters parameters;
  private final ActorCritic network;
  private final Parameters.Replica inference;
  private final ObservationNormalizer normalizer; // null when observations are used as they are

  public Agent(RunConfig config, int observationSize, ActionSpace actionSpace) {
    this.observationSize = observationSize;
    critic = critic(config.critic());
    Parameters.Builder builder = new Parameters.Builder(config.seed());
    network =
        new ActorCritic(
            builder,
            config.network(),
            new ActorCritic.Interface(
                observationSize, actionSpace, config.critic().twin() ? 2 : 1, critic.outputs()));
    parameters = builder.build();
    inference = parameters.replica();
    normalizer =
        config.environment().normalizeObservations()
            ? new ObservationNormalizer(observationSize, config.environment().observationClip())
            : null;
  }

  private static Critic critic(CriticConfig config) {
    return switch (config.type()) {
      case QUANTILE -> new QuantileCritic(config.quantiles(), config.huberKappa());
      case CATEGORICAL -> new CategoricalCritic(config.atoms(), config.support());
    };
  }

  /** How many numbers an observation has. */
  public int observationSize() {
    return observationSize;
  }

  public ActorCritic network() {
    return network;
  }

  public Critic critic() {
    return critic;
  }

  public Parameters parameters() {
    return parameters;
  }

  /** The reader of {@link #parameters()} for acting. */
  public Parameters.Replica inference() {
    return inference;
  }

  /** What the network sees of rows [first, first + rows) of raw observations. */
  public float[] normalize(float[] raw, int first, int rows) {
    int from = first * observationSize;
    int count = rows * observationSize;
    if (normalizer == null) {
      return Arrays.copyOfRange(raw, from, from + count);
    }
    float[] result = new float[count];
    normalizer.normalize(raw, from, result, 0, rows);
    return result;
  }

  /** Moves the observation statistics; null when observations are used as they are. */
  public ObservationNormalizer.Drift observe(float[] rawObservations) {
    return normalizer == null
        ? null
        : normalizer.update(rawObservations, rawObservations.length / observationSize);
  }

  /** Hands over everything that moves. */
  public void save(StateMap state) {
    StateMap weights = state.child("parameters");
    float[] flat = parameters.values();
    for (Parameters.Slot slot : parameters.slots()) {
      int from = (int) slot.offset();
      weights.putFloats(
          slot.name(),
          Arrays.copyOfRange(flat, from, from + (int) slot.count()),
          slot.dimensions());
    }
    if (normalizer != null) {
      StateMap statistics = state.child("normalizer");
      statistics.putDouble("count", normalizer.count());
      statistics.putDoubles("mean", normalizer.mean(), observationSize);
      statistics.putDoubles("variance", normalizer.variance(), observationSize);
    }
  }

  /** Takes back what {@link #save} handed over. */
  public void load(StateMap state) {
    StateMap weights = state.child("parameters");
    float[] flat = new float[parameters.values().length];
    for (Parameters.Slot slot : parameters.slots()) {
      float[] values = weights.floats(slot.name(), slot.dimensions());
      System.arraycopy(values, 0, flat, (int) slot.offset(), values.length);
    }
    if (normalizer != null) {
      StateMap statistics = state.child("normalizer");
      normalizer.restore(
          statistics.doubleValue("count"),
          statistics.doubles("mean", observationSize),
          statistics.doubles("variance", observationSize));
    }
    parameters.set(flat);
  }
}
