package io.quantail.ppo;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Decides when critics are clipped: a critic without explained variance must be free to move.
 *
 * <p>Pinned by {@code vf_clip_gate}.
 *
 * @param warmupUpdates updates at the start without clipping
 * @param threshold explained variance of the last update that is needed; null when none is
 */
public record ValueClipGate(int warmupUpdates, @Nullable Double threshold) {

  boolean open(long update, OptionalDouble explained) {
    return remaining(update) == 0 && explainedEnough(explained);
  }

  /** The number of remaining updates of the warm-up. */
  long remaining(long update) {
    return Math.max(0, warmupUpdates - update);
  }

  /**
   * The gate at one update.
   *
   * @param open whether critics are clipped
   * @param remaining remaining updates of the warm-up
   * @param explainedEnough whether the explained variance reaches the threshold
   * @param explained explained variance of the last update; empty if it is unknown
   */
  public record Status(
      boolean open, long remaining, boolean explainedEnough, OptionalDouble explained) {}

  Status status(long update, OptionalDouble explained) {
    return new Status(
        open(update, explained), remaining(update), explainedEnough(explained), explained);
  }

  /** An unknown explained variance does not open the gate. */
  boolean explainedEnough(OptionalDouble explained) {
    return threshold == null || (explained.isPresent() && explained.getAsDouble() >= threshold);
  }
}
