package io.quantail.model;

import io.quantail.random.RandomStream;

/** The random streams of exploration matrices, one for each draw of each environment. */
@FunctionalInterface
public interface ExplorationStreams {

  /**
   * The stream of one matrix.
   *
   * @param environment index among all environments
   * @param draw number of the draw of this environment in the rollout, from 0
   */
  RandomStream at(int environment, int draw);

  /**
   * The streams of one rollout, at the address (seed, "gsde", update, environment, draw): they do
   * not depend on threads, on the order of draws or on a resume.
   */
  static ExplorationStreams of(long seed, long update) {
    return (environment, draw) ->
        RandomStream.of(seed, "gsde/" + update, (long) environment << Integer.SIZE | draw);
  }
}
