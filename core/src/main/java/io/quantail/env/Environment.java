package io.quantail.env;

import io.quantail.random.RandomStream;

/**
 * A task an agent can act in, one episode at a time.
 *
 * <p>An episode starts with {@link #reset} and ends with a step that is terminated (the task is
 * over, nothing follows) or truncated (somebody stopped looking, the value of what would follow
 * still counts). The stream handed to {@code reset} is the only source of randomness, and nothing
 * may survive from one episode to the next: the same stream and the same actions give the same
 * numbers. {@code EnvironmentChecker} tests an implementation against this contract; {@link
 * EpisodicEnvironment} is a convenient start for one.
 *
 * <p>An environment is used by one thread at a time, not always by the same one.
 *
 * <p>See: Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments",
 * 2024, arXiv 2407.17032. We depart from it in three ways: randomness is handed in instead of
 * seeded, stepping a finished episode is an error instead of a warning, and an environment can save
 * and restore itself so that a stopped run continues bit for bit.
 */
public interface Environment extends AutoCloseable {
  /** How many numbers an observation has; constant. */
  int observationSize();

  /** What an action is; constant. */
  ActionSpace actionSpace();

  /**
   * Starts an episode and returns its first observation.
   *
   * @param random all randomness of the episode; may be kept until the next reset
   */
  float[] reset(RandomStream random);

  /**
   * Does one action.
   *
   * @param action for {@link ActionSpace.Discrete} the index in {@code action[0]}, for {@link
   *     ActionSpace.Box} values inside the bounds; neither kept nor changed
   * @throws IllegalStateException before the first reset and after the end of an episode
   */
  Step step(float[] action);

  /** Whether {@link #snapshot} and {@link #restore} work; constant. */
  default boolean supportsSnapshot() {
    return false;
  }

  /** Everything that decides the rest of the episode, except the random stream. */
  default double[] snapshot() {
    throw new UnsupportedOperationException(getClass().getName() + " cannot save its state");
  }

  /**
   * Continues the episode a snapshot was taken in, also in another instance.
   *
   * @param random the stream of that episode, at the position it had when the snapshot was taken
   */
  default void restore(double[] state, RandomStream random) {
    throw new UnsupportedOperationException(getClass().getName() + " cannot restore a state");
  }

  @Override
  default void close() {}
}
