package io.quantail.model;

import io.quantail.network.PolicyDistribution;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exploration matrices of generalised state-dependent exploration, one per environment. Each is
 * drawn anew at the start of an episode and at the start of a rollout, before the next action.
 *
 * <p>No matrix outlives a rollout, so there is no state to save.
 */
final class ExplorationMatrices {
  private final float[][] matrices; // [environment][feature * action]; empty where there are none
  private final boolean[] outdated;
  private final int[] draws; // of each environment in the rollout
  private @Nullable ExplorationStreams streams; // null outside of rollouts
  private int first; // index of environment 0 among all

  /**
   * @param size numbers in a matrix; 0 if the policy has none
   */
  ExplorationMatrices(int environments, int size) {
    matrices = new float[environments][size];
    outdated = new boolean[environments];
    draws = new int[environments];
  }

  /** Draws all matrices anew, from the given streams until the next call. */
  void startRollout(ExplorationStreams ofRollout, int firstEnvironment) {
    streams = ofRollout;
    first = firstEnvironment;
    Arrays.fill(draws, 0);
    renewAll();
  }

  void renewAll() {
    Arrays.fill(outdated, true);
  }

  /** Has the matrix of an environment drawn anew before its next use. */
  void renew(int environment) {
    outdated[environment] = true;
  }

  /**
   * The matrix with which an environment acts.
   *
   * @param policy draws it if it is outdated
   * @param actions stream of the environment's actions, used outside of rollouts
   */
  float[] current(PolicyDistribution policy, int environment, RandomStream actions) {
    float[] matrix = matrices[environment];
    if (matrix.length > 0 && outdated[environment]) {
      RandomStream stream =
          streams == null ? actions : streams.at(first + environment, draws[environment]++);
      policy.drawExploration(stream, matrix);
      outdated[environment] = false;
    }
    return matrix;
  }
}
