package io.quantail.env;

import io.quantail.random.RandomStream;
import org.jspecify.annotations.Nullable;

/**
 * A task in which an agent acts, one episode at a time.
 *
 * <p>An episode starts with {@link #reset} and ends with a step that is terminated (the value of
 * the final state is zero) or truncated (the episode was stopped, the value of its final state
 * still counts). The stream given to {@code reset} is the only source of randomness, and no state
 * survives from one episode to the next: the same stream and the same actions give the same
 * numbers. {@code EnvironmentChecker} tests an implementation against this contract. A step is
 * never asked for outside an episode.
 *
 * <p>An environment is used by one thread at a time, not always by the same one.
 *
 * <p>See: Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments",
 * 2024, arXiv 2407.17032. We depart from it in three ways: randomness is passed in instead of
 * seeded, stepping a finished episode is an error instead of a warning, and an environment can save
 * and restore itself so that a stopped run continues bit for bit.
 */
public interface Environment extends AutoCloseable {
  /** {@return the numbers of an observation; constant} */
  ObservationSpace observationSpace();

  /** {@return the set of valid actions; constant} */
  ActionSpace actionSpace();

  /**
   * Starts an episode.
   *
   * @param random all randomness of the episode; may be kept until the next reset
   * @return the first observation
   */
  float[] reset(RandomStream random);

  /**
   * Executes one action.
   *
   * @param action an action of the action space; valid during the call
   * @return the result of the action
   */
  Step step(Action action);

  /**
   * Says which choices the present state forbids; without an override none is ever forbidden.
   *
   * <p>It is called after {@link #reset}, after every step that does not end the episode and after
   * {@link #restore}. It changes nothing and draws no random numbers, so that two calls without a
   * step between them give the same answer. At least one choice must remain.
   *
   * @param mask {@link ActionSpace#maskSize()} values, all true when called; the environment sets
   *     those to false that cannot be chosen now
   */
  default void allowed(boolean[] mask) {}

  /**
   * Saves the running episode, so that a stopped run continues bit for bit. Without an override, a
   * run that is resumed starts new episodes.
   *
   * @return the complete state of the episode, except the random stream and the last observation;
   *     null if it cannot be saved
   */
  default double @Nullable [] snapshot() {
    return null;
  }

  /**
   * Continues the episode a snapshot was taken in, also in another instance; to be overridden with
   * {@link #snapshot}.
   *
   * @param state the numbers that {@link #snapshot} returned
   * @param random the stream of that episode, at the position it had when the snapshot was taken
   */
  default void restore(double[] state, RandomStream random) {
    throw new UnsupportedOperationException(getClass().getName() + " cannot restore a state");
  }

  @Override
  default void close() {}
}
