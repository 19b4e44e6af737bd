package io.quantail.ppo;

/**
 * The clip range of the surrogate, wide at first and then narrowed to its base value.
 *
 * <pre>  eps_i = warm + (base - warm) min(1, i / warmupUpdates)</pre>
 *
 * See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347, for the clip range; the warm-up is ours. {@code ClipRangeScheduleTest}
 * pins it.
 *
 * @param base clip range after the warm-up, in [0, 1)
 * @param warm clip range of the first update, in [base, 1); without warm-up it is not used
 * @param warmupUpdates number of updates until the base is reached; 0 starts with the base
 */
public record ClipRangeSchedule(double base, double warm, int warmupUpdates) {
  public ClipRangeSchedule {
    if (!(base >= 0 && base < 1)) {
      throw new IllegalArgumentException("clip range must be in [0, 1), was " + base);
    }
    if (warmupUpdates < 0) {
      throw new IllegalArgumentException(
          "clip range warm-up updates must not be negative, was " + warmupUpdates);
    }
    if (warmupUpdates > 0 && !(warm >= base && warm < 1)) {
      throw new IllegalArgumentException(
          "clip range of the warm-up must be in ["
              + base
              + ", 1), was "
              + warm
              + "; raise it, or set the warm-up updates to 0");
    }
  }

  /** The clip range of an update, counted from 0. */
  public double at(long update) {
    if (update < 0) {
      throw new IllegalArgumentException("update must not be negative, was " + update);
    }
    return update >= warmupUpdates ? base : warm + (base - warm) * update / warmupUpdates;
  }
}
