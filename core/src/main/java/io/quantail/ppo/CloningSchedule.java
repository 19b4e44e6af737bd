package io.quantail.ppo;

/**
 * Coefficient of the behaviour-cloning term, which fades out after a warm-up.
 *
 * <p>Constant until {@code warmupSteps} environment steps, then linear to the final coefficient
 * over {@code decaySteps}; without decay it stays at the initial coefficient. {@code
 * CloningScheduleTest} pins it.
 *
 * @param initial coefficient at the start, finite and not negative
 * @param last coefficient after the decay, finite and not negative
 * @param warmupSteps environment steps before the decay, not negative
 * @param decaySteps environment steps of the decay, not negative; 0 means no decay
 */
public record CloningSchedule(double initial, double last, long warmupSteps, long decaySteps) {
  public CloningSchedule {
    requireNotNegative("initial cloning coefficient", initial);
    requireNotNegative("final cloning coefficient", last);
    requireNotNegative("cloning warm-up steps", warmupSteps);
    requireNotNegative("cloning decay steps", decaySteps);
  }

  /** The coefficient after that many environment steps. */
  public double at(long steps) {
    requireNotNegative("environment steps", steps);
    if (decaySteps == 0 || steps <= warmupSteps) {
      return initial;
    }
    double share = Math.min(1, (double) (steps - warmupSteps) / decaySteps);
    return initial + (last - initial) * share;
  }

  private static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
  }
}
