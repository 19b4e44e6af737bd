package io.quantail.env.vector;

import org.jspecify.annotations.Nullable;

/** What a vector steps as one: an environment, or a simulator of several episodes. */
interface VectorPart extends AutoCloseable {
  /** Index of its first environment in the vector. */
  int first();

  /** Number of its environments. */
  int size();

  /** Starts a new episode in each of its environments. */
  void reset();

  /**
   * Steps its environments in the calling thread.
   *
   * @param numbers contains the actions of its environments
   * @param offset index of their first number
   */
  void step(float[] numbers, int offset);

  /** Prepares a step that another thread may run; {@link #take()} stores its results. */
  CallRunner.Task prepare(float[] numbers, int offset);

  /** Stores the results of the prepared step; replaces what failed, or ends the run. */
  void take();

  /** The state of its running episode, to be given to {@link #snapshot}; null if it has none. */
  double @Nullable [] state();

  /** Everything that is needed to continue its running episode. */
  double[] snapshot(double[] state);

  /** Continues the episode of a snapshot. */
  void restore(double[] snapshot);

  @Override
  void close();
}
