package io.quantail.ppo;

/**
 * Number of epochs of an update, lowered after each early stop and restored afterwards.
 *
 * <pre>
 *   stopped:     f = max(f * decay, 1 / epochs)
 *   not stopped: f = min(f / decay, 1)
 *   budget:      max(1, round(epochs * f))
 * </pre>
 *
 * The factor recovers, so one bad update does not shorten the rest of the run. {@code
 * EpochBudgetTest} pins it.
 *
 * @param epochs number of epochs without stops, at least 1
 * @param decay factor of one stop, in (0, 1]; 1 leaves the number of epochs alone
 */
public record EpochBudget(int epochs, double decay) {
  public EpochBudget {
    if (epochs < 1) {
      throw new IllegalArgumentException("epochs must be at least 1, was " + epochs);
    }
    if (!(decay > 0 && decay <= 1)) {
      throw new IllegalArgumentException("KL epoch decay must be in (0, 1], was " + decay);
    }
  }

  /** The factor of the next update; the first update has factor 1. */
  public double nextFactor(double factor, boolean stopped) {
    return stopped ? Math.max(factor * decay, 1.0 / epochs) : Math.min(factor / decay, 1);
  }

  /** The number of epochs to run with that factor. Halves round to the even number. */
  public int epochsAt(double factor) {
    return (int) Math.max(1, Math.rint(epochs * factor));
  }
}
