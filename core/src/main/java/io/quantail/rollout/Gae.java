package io.quantail.rollout;

import java.util.Arrays;

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
   * Both arrays are flattened like the input's.
   *
   * @param advantages estimated advantage of each step
   * @param returns the value target of each step, advantage plus value
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
  public static Result compute(GaeInput input) {
    int size = input.rewards().length;
    double[] advantages = new double[size];
    double[] returns = new double[size];
    for (int index = size - 1; index >= 0; index--) {
      double following = traceIsCut(input, index) ? 0 : advantages[index + input.environments()];
      double delta = clamp(delta(input, index));
      advantages[index] = clamp(delta + input.gamma() * input.lambda() * following);
      returns[index] = advantages[index] + input.values()[index];
    }
    return new Result(advantages, returns);
  }

  private static boolean traceIsCut(GaeInput input, int index) {
    return input.terminated()[index] || input.truncated()[index] || isLastStep(input, index);
  }

  private static double delta(GaeInput input, int index) {
    double nextValue = nextValue(input, index);
    return input.rewards()[index] + input.gamma() * nextValue - input.values()[index];
  }

  private static double nextValue(GaeInput input, int index) {
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

  private static boolean isLastStep(GaeInput input, int index) {
    return index + input.environments() >= input.rewards().length;
  }

  private static double clamp(double value) {
    return Math.max(-LIMIT, Math.min(LIMIT, value));
  }
}
