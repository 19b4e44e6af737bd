package io.quantail.robust;

import io.quantail.config.RobustConfig;

/**
 * The largest allowed perturbation at each update, a pure function of the update's number.
 *
 * <p>With {@code p = min(1, t / T)}: {@code e0 + (e1 - e0) p}, or {@code e1 + (e0 - e1) (1 + cos pi
 * p) / 2}. Pinned by the vectors {@code epsilon_schedule} and {@code sa_ppo_max_updates}.
 *
 * @param ramp shape of the course
 * @param initial value before the first update
 * @param target value from update T on
 * @param updates T; at 0 the target is there from the start
 */
public record EpsilonSchedule(
    RobustConfig.EpsilonRamp ramp, double initial, double target, long updates) {

  /** How many updates a run has. */
  public static long updates(long steps, int stepsPerRollout, int environments) {
    return steps / ((long) stepsPerRollout * environments);
  }

  /** At update number {@code t}, counted from 1. */
  public double at(long t) {
    double progress = updates == 0 ? 1 : Math.min(1, (double) t / updates);
    if (progress == 1) {
      return target;
    }
    return switch (ramp) {
      case LINEAR -> initial + (target - initial) * progress;
      case COSINE -> target + (initial - target) * (1 + StrictMath.cos(Math.PI * progress)) / 2;
    };
  }
}
