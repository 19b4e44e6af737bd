package io.quantail.env.vector;

import io.quantail.random.RandomStream;

/**
 * How to bring an environment to where it was: {@link Replay} does it.
 *
 * @param seed of the run
 * @param environments how many environments the run has
 * @param environment which one it is
 * @param restart how often it had been replaced
 * @param episode number of the episode
 * @param state what the environment saved of itself before the first of the actions; empty when
 *     they begin with the episode
 * @param position of the episode's random stream at that moment
 * @param actionSize how many numbers an action has
 * @param actions [action, number]: all that followed, the last one being the one that failed
 * @param complete whether all actions are there; very long episodes are not recorded to their end
 */
public record Recording(
    long seed,
    int environments,
    int environment,
    long restart,
    long episode,
    double[] state,
    long position,
    int actionSize,
    float[] actions,
    boolean complete) {

  /** The stream of the episode, where it was before the first of the actions. */
  RandomStream stream() {
    RandomStream fresh = WorkerSeed.stream(seed, restart, environments, environment, episode);
    return RandomStream.restore(fresh.key(), fresh.substream(), position);
  }

  /** How many actions there are. */
  public int length() {
    return actions.length / actionSize;
  }
}
