package io.quantail.rollout;

import java.util.Arrays;
import java.util.Locale;

/**
 * Generalised advantage estimation over a whole rollout, in double precision.
 *
 * <p>Per environment, backwards in time:
 *
 * <pre>
 *   delta_t = r_t + gamma V'_t - V_t
 *   A_t     = delta_t + gamma lambda n_t A_{t+1}
 *   R_t     = A_t + V_t
 * </pre>
 *
 * where {@code V'_t} is the value of the next observation, 0 after a termination and the value of
 * the terminal observation after a truncation, and {@code n_t} is 0 where the episode ended in
 * either way, else 1. A truncation therefore bootstraps but cuts the trace: nothing of the next
 * episode reaches this one.
 *
 * <p>See: Schulman, Moritz, Levine, Jordan, Abbeel, "High-dimensional continuous control using
 * generalized advantage estimation", 2015, arXiv:1506.02438. We depart in that {@code delta_t} and
 * {@code A_t} are limited to ±{@value #LIMIT}, so that one broken reward cannot overflow single
 * precision later. {@code GaeTest} pins it against a direct sum per episode.
 */
public final class Gae {
  /** Largest magnitude of an advantage. */
  public static final double LIMIT = 1e6;

  private Gae() {}

  /**
   * The recorded quantities of a rollout that the estimate needs; arrays are only read.
   *
   * <p>All per-step arrays are flattened as {@code [time * environments]}, the environment varying
   * fastest. The constructor refuses arrays of different lengths and any value that is not finite,
   * so that no partial result can exist. {@code GaeTest} pins the messages.
   *
   * @param environments number of environments, at least 1
   * @param rewards reward of each step
   * @param values value of the observation before each step
   * @param terminated whether the step ended its episode for good
   * @param truncated whether the step ended its episode by a limit from outside; where a step is
   *     both, termination counts
   * @param bootstrap value of the terminal observation where a step was truncated, any finite
   *     number elsewhere
   * @param lastValues per environment, value of the observation after the last step; not used where
   *     that step ended an episode
   * @param gamma discount, in (0, 1]
   * @param lambda trace decay, in [0, 1]
   */
  public record Input(
      int environments,
      double[] rewards,
      double[] values,
      boolean[] terminated,
      boolean[] truncated,
      double[] bootstrap,
      double[] lastValues,
      double gamma,
      double lambda) {

    public Input {
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
                Locale.ROOT,
                "%s: %d/%d values are NaN or infinite, the first is %s at step %d of environment %d;"
                    + " advantages are not computed from them, find where they come from",
                name,
                count,
                array.length,
                array[first],
                first / environments,
                first % environments));
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

  /**
   * Both arrays are flattened like the input's.
   *
   * @param advantages estimated advantage of each step
   * @param returns the value target of each step: its value and the sum of TD errors that follow,
   *     which is the advantage where both have the same trace decay
   */
  public record Result(double[] advantages, double[] returns) {

    /** The same returns with each step's advantage lowered by a cost. */
    public Result minus(double[] costs) {
      double[] lowered = new double[advantages.length];
      Arrays.setAll(lowered, i -> clamp(advantages[i] - costs[i]));
      return new Result(lowered, returns);
    }
  }

  /** Computes advantages and value targets of the rollout. */
  public static Result compute(Input input) {
    return compute(input, input.lambda());
  }

  /**
   * Computes advantages and value targets of the rollout.
   *
   * @param targetLambda trace decay of the value targets; in [0, 1]
   */
  public static Result compute(Input input, double targetLambda) {
    double[] advantages = traced(input, input.lambda());
    double[] returns =
        targetLambda == input.lambda() ? advantages.clone() : traced(input, targetLambda);
    Arrays.setAll(returns, index -> returns[index] + input.values()[index]);
    return new Result(advantages, returns);
  }

  private static double[] traced(Input input, double lambda) {
    double[] sums = new double[input.rewards().length];
    for (int index = sums.length - 1; index >= 0; index--) {
      double following = traceIsCut(input, index) ? 0 : sums[index + input.environments()];
      double delta = clamp(delta(input, index));
      sums[index] = clamp(delta + input.gamma() * lambda * following);
    }
    return sums;
  }

  private static boolean traceIsCut(Input input, int index) {
    return input.terminated()[index] || input.truncated()[index] || isLastStep(input, index);
  }

  private static double delta(Input input, int index) {
    double nextValue = nextValue(input, index);
    return input.rewards()[index] + input.gamma() * nextValue - input.values()[index];
  }

  private static double nextValue(Input input, int index) {
    if (input.terminated()[index]) {
      return 0;
    }
    if (input.truncated()[index]) {
      return input.bootstrap()[index];
    }
    return isLastStep(input, index)
        ? input.lastValues()[index % input.environments()]
        : input.values()[index + input.environments()];
  }

  private static boolean isLastStep(Input input, int index) {
    return index + input.environments() >= input.rewards().length;
  }

  private static double clamp(double value) {
    return Math.max(-LIMIT, Math.min(LIMIT, value));
  }
}
