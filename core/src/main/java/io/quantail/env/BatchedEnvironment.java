package io.quantail.env;

/**
 * A simulator that steps many episodes of a task in one call, for example on arrays of its own, in
 * another process or on a graphics card.
 *
 * <p>Its rows are independent episodes of the same task. An episode starts with {@link #reset} of
 * its row and ends with a step that is terminated or truncated; nothing starts the next one but
 * another reset, which follows before the next step. The seed given to {@code reset} is the only
 * source of randomness of an episode: the same seed and the same actions give the same numbers,
 * whatever the other rows do.
 *
 * <p>A simulator that throws, hangs or gives invalid numbers fails as a whole: all its episodes are
 * truncated, and another simulator takes its place where the settings allow it.
 *
 * <p>A simulator is used by one thread at a time, not always by the same one.
 *
 * <p>See: the vector environments of Gymnasium with {@code AutoresetMode.DISABLED} and {@code
 * reset_mask}, whose contract this is.
 */
public interface BatchedEnvironment extends AutoCloseable {
  /** {@return the number of episodes that run side by side; constant} */
  int count();

  /** {@return the numbers of an observation; constant} */
  ObservationSpace observationSpace();

  /** {@return the set of valid actions of one episode; constant} */
  ActionSpace actionSpace();

  /** {@return whether the simulator may forbid choices by {@link BatchedStep#masks}; constant} */
  default boolean masks() {
    return false;
  }

  /**
   * Starts an episode in one row.
   *
   * @param row index of the episode
   * @param seed of all its randomness
   * @param rows where its first observation goes, and its mask; other rows stay as they are
   */
  void reset(int row, long seed, BatchedStep rows);

  /**
   * Executes one action in every episode.
   *
   * @param actions [row, number], each valid for {@link #actionSpace}; neither kept nor changed
   * @param rows where the results go
   */
  void step(float[] actions, BatchedStep rows);

  /**
   * Frees what the simulator holds. Also called by another thread while a call hangs; then it must
   * not wait for that call.
   */
  @Override
  default void close() {}
}
