package io.quantail.ppo;

import io.quantail.metrics.Metrics;
import java.util.OptionalDouble;

/**
 * Says when critics may be clipped: a critic that still knows nothing must be free to move.
 *
 * <p>Pinned by {@code vf_clip_gate}.
 *
 * @param warmupUpdates updates at the start without clipping
 * @param threshold explained variance of the last update that is needed; null when none is
 */
record ValueClipGate(int warmupUpdates, Double threshold) {

  boolean open(long update, OptionalDouble explained) {
    return remaining(update) == 0 && explainedEnough(explained);
  }

  /** Updates of the warm-up that are left. */
  long remaining(long update) {
    return Math.max(0, warmupUpdates - update);
  }

  void report(Metrics metrics, long update, OptionalDouble explained) {
    metrics.put("train/vf_clip_active", open(update, explained) ? 1 : 0);
    metrics.put("train/vf_clip_warmup_active", remaining(update) > 0 ? 1 : 0);
    metrics.put("train/vf_clip_updates_remaining", remaining(update));
    if (threshold != null) {
      metrics.put("train/vf_clip_ev_gate_active", explainedEnough(explained) ? 0 : 1);
      metrics.put("train/vf_clip_threshold_ev", threshold);
      explained.ifPresent(value -> metrics.put("train/vf_clip_last_ev", value));
    }
  }

  /** An explained variance that is not known is not enough. */
  boolean explainedEnough(OptionalDouble explained) {
    return threshold == null || explained.isPresent() && explained.getAsDouble() >= threshold;
  }
}
