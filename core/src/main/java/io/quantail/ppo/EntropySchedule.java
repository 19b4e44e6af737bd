package io.quantail.ppo;

/**
 * Coefficient of the entropy bonus: linear from initial to final, never below a minimum.
 *
 * <pre>
 *   raw_i       = initial + (last - initial) min(1, (i - start) / decayUpdates)   for i at or after start
 *   effective_i = max(raw_i, floor)
 * </pre>
 *
 * When the decay starts is decided by {@link EntropyPlateau}, or at update 0 without one; before
 * the start the raw coefficient is the initial one. With {@code decayUpdates = 0} it is the final
 * one throughout. {@code EntropyScheduleTest} pins it.
 *
 * @param initial coefficient before the decay, finite and not negative
 * @param last coefficient after the decay, finite and not negative
 * @param floor smallest coefficient that is ever used, finite and not negative
 * @param decayUpdates number of updates of the decay, not negative
 */
public record EntropySchedule(double initial, double last, double floor, int decayUpdates) {
  /** Stands for a decay that has not started. */
  public static final long NOT_STARTED = -1;

  public EntropySchedule {
    requireNotNegative("initial entropy coefficient", initial);
    requireNotNegative("final entropy coefficient", last);
    requireNotNegative("entropy coefficient floor", floor);
    requireNotNegative("entropy decay updates", decayUpdates);
  }

  /**
   * The coefficient of an update.
   *
   * @param raw coefficient of the schedule
   * @param effective coefficient in the loss, at least the minimum
   */
  public record Coefficient(double raw, double effective) {}

  /**
   * The coefficient of an update, counted from 0.
   *
   * @param decayStart update at which the decay started, or {@link #NOT_STARTED}
   */
  public Coefficient at(long update, long decayStart) {
    double raw = raw(update, decayStart);
    return new Coefficient(raw, Math.max(raw, floor));
  }

  /** Whether there is a decay to start; a coefficient that starts at the minimum has none. */
  public boolean canDecay() {
    return decayUpdates > 0 && initial > floor;
  }

  private double raw(long update, long decayStart) {
    if (decayUpdates == 0) {
      return last;
    }
    if (decayStart == NOT_STARTED || update <= decayStart) {
      return initial;
    }
    double share = Math.min(1, (double) (update - decayStart) / decayUpdates);
    return initial + (last - initial) * share;
  }

  private static void requireNotNegative(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and not negative, was " + value);
    }
  }
}
