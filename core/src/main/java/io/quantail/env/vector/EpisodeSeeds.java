package io.quantail.env.vector;

import io.quantail.random.RandomStream;

/**
 * Random streams of the episodes of an environment.
 *
 * <p>Environment {@code k} of {@code n} draws episode {@code e} from the stream (seed,
 * "environment/k", e). After its restart number {@code r} the seed is {@code seed + r n + k}, so
 * that a new environment does not repeat the data of the failed one. {@code FaultVectors} pins the
 * seeds.
 */
final class EpisodeSeeds {
  private EpisodeSeeds() {}

  /** The seed of an environment after a number of restarts. */
  static long of(long seed, long restart, int environments, int environment) {
    return seed + restart * environments + environment;
  }

  /** All randomness of one episode. */
  static RandomStream stream(
      long seed, long restart, int environments, int environment, long episode) {
    return restart == 0
        ? RandomStream.of(seed, "environment/" + environment, episode)
        : RandomStream.of(
            of(seed, restart, environments, environment),
            "restarted environment/" + environment,
            episode);
  }
}
