package io.quantail.env;

import io.quantail.random.RandomStream;

/**
 * A task in which an agent acts, one episode at a time.
 *
 * <p>An episode starts with {@link #reset} and ends with a step that is terminated (the value of
 * the final state is zero) or truncated (the episode was stopped, the value of its final state
 * still counts). The stream given to {@code reset} is the only source of randomness, and no state
 * survives from one episode to the next: the same stream and the same actions give the same
 * numbers. {@code EnvironmentChecker} tests an implementation against this contract; {@link
 * EpisodicEnvironment} is a convenient base class.
 *
 * <p>An environment is used by one thread at a time, not always by the same one.
 *
 * <p>See: Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments",
 * 2024, arXiv 2407.17032. We depart from it in three ways: randomness is passed in instead of
 * seeded, stepping a finished episode is an error instead of a warning, and an environment can save
 * and restore itself so that a stopped run continues bit for bit.
 */
public interface Environment extends AutoCloseable {
  /** {@return the number of components of an observation; constant} */
  int observationSize();

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
   * @param action for {@link ActionSpace.Discrete} the index in {@code action[0]}, for {@link
   *     ActionSpace.Box} values inside the bounds; neither kept nor changed
   * @return the result of the action
   * @throws IllegalStateException before the first reset and after the end of an episode
   */
  Step step(float[] action);

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

  /** {@return whether {@link #snapshot} and {@link #restore} work; constant} */
  default boolean supportsSnapshot() {
    return false;
  }

  /** {@return the complete state of the episode, except the random stream} */
  default double[] snapshot() {
    throw new UnsupportedOperationException(getClass().getName() + " cannot save its state");
  }

  /**
   * Continues the episode a snapshot was taken in, also in another instance.
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
