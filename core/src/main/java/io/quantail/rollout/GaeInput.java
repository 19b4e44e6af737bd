package io.quantail.rollout;

/**
 * What {@link Gae} needs to know of a rollout; arrays are read, never kept or changed.
 *
 * <p>All per-step arrays are flattened as {@code [time * environments]}, the environment varying
 * fastest. The constructor refuses arrays of different lengths and any value that is not finite, so
 * that no partial result can exist. {@code GaeTest} pins the messages.
 *
 * @param environments number of environments, at least 1
 * @param rewards reward of each step
 * @param values value of the observation before each step
 * @param terminated whether the step ended its episode for good
 * @param truncated whether the step ended its episode by a limit from outside; where a step is
 *     both, termination counts
 * @param bootstrap value of the terminal observation where a step was truncated, any finite number
 *     elsewhere
 * @param lastValues per environment, value of the observation after the last step; not used where
 *     that step ended an episode
 * @param gamma discount, in (0, 1]
 * @param lambda trace decay, in [0, 1]
 */
public record GaeInput(
    int environments,
    double[] rewards,
    double[] values,
    boolean[] terminated,
    boolean[] truncated,
    double[] bootstrap,
    double[] lastValues,
    double gamma,
    double lambda) {

  public GaeInput {
    if (environments < 1) {
      throw new IllegalArgumentException("environments must be at least 1, was " + environments);
    }
    if (rewards.length == 0 || rewards.length % environments != 0) {
      throw new IllegalArgumentException(
          "rewards must hold whole steps of "
              + environments
              + " environments, at least one, but hold "
              + rewards.length
              + " values");
    }
    requireLength("values", values.length, rewards.length);
    requireLength("terminated", terminated.length, rewards.length);
    requireLength("truncated", truncated.length, rewards.length);
    requireLength("bootstrap", bootstrap.length, rewards.length);
    requireLength("lastValues", lastValues.length, environments);
    requireFinite("rewards", rewards, environments);
    requireFinite("values", values, environments);
    requireFinite("bootstrap", bootstrap, environments);
    requireFinite("lastValues", lastValues, environments);
    requireFactors(gamma, lambda);
  }

  private static void requireLength(String name, int length, int required) {
    if (length != required) {
      throw new IllegalArgumentException(
          name
              + " must hold "
              + required
              + " values, one for each of the rollout, but hold "
              + length);
    }
  }

  private static void requireFinite(String name, double[] array, int environments) {
    int count = 0;
    int first = -1;
    for (int i = array.length - 1; i >= 0; i--) {
      if (!Double.isFinite(array[i])) {
        count++;
        first = i;
      }
    }
    if (count > 0) {
      throw new IllegalArgumentException(
          String.format(
              "%s: %d/%d values are NaN or infinite, the first is %s at step %d of environment %d;"
                  + " advantages are not computed from them, find where they come from",
              name, count, array.length, array[first], first / environments, first % environments));
    }
  }

  private static void requireFactors(double gamma, double lambda) {
    if (!(gamma > 0 && gamma <= 1)) {
      throw new IllegalArgumentException("gamma must be in (0, 1], was " + gamma);
    }
    if (!(lambda >= 0 && lambda <= 1)) {
      throw new IllegalArgumentException("lambda must be in [0, 1], was " + lambda);
    }
  }
}
