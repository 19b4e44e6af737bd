package io.quantail.env.vector;

import io.quantail.random.RandomStream;

/**
 * Actions and random stream that lead to a failure of an environment; {@link FaultReplay} repeats
 * them.
 *
 * @param seed of the run
 * @param environments number of environments in the run
 * @param environment index of the environment
 * @param restart number of replacements before the failure
 * @param episode number of the episode
 * @param state snapshot of the environment before the first action; empty if the actions start with
 *     the episode
 * @param position of the episode's random stream before the first action
 * @param actionSize size of an action
 * @param actions [action, component]; the last action failed
 * @param complete whether all actions are recorded; the recording of a very long episode is
 *     incomplete
 */
public record FaultRecording(
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

  /** The random stream of the episode before the first action. */
  RandomStream stream() {
    RandomStream fresh = EpisodeSeeds.stream(seed, restart, environments, environment, episode);
    return RandomStream.restore(fresh.key(), fresh.substream(), position);
  }

  /** Number of actions. */
  public int length() {
    return actions.length / actionSize;
  }
}
