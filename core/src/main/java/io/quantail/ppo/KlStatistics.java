package io.quantail.ppo;

import io.quantail.metrics.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Follows the rules of the early stop through one update. */
final class KlStatistics {
  /** The code of a reason is its place in this list, counted from 1; 0 means no stop. */
  private static final List<String> REASONS =
      List.of(KlEarlyStop.ABSOLUTE, KlEarlyStop.CONSECUTIVE, KlEarlyStop.FRACTION);

  private int steps;
  private int exceeded;
  private int longestRun;
  private double smoothed;
  private OptionalDouble lastExceeded = OptionalDouble.empty();

  /** Takes in the divergence of an optimiser step and what the rules made of it. */
  void add(double divergence, KlEarlyStop.Step judged) {
    steps++;
    smoothed = judged.smoothed();
    int run = judged.state().run();
    longestRun = Math.max(longestRun, run);
    if (run > 0) {
      exceeded++;
      lastExceeded = OptionalDouble.of(divergence);
    }
  }

  /**
   * Emits what was seen.
   *
   * @param stop why the update ended early, empty when it did not
   * @param epochShare share of exceeding steps in the last epoch
   */
  void report(Metrics metrics, Optional<String> stop, double epochShare) {
    metrics.put("train/kl_early_stop", stop.isPresent() ? 1 : 0);
    metrics.put("train/kl_stop_reason", stop.map(reason -> REASONS.indexOf(reason) + 1).orElse(0));
    metrics.put(
        "train/kl_absolute_stop_trigger",
        stop.filter(KlEarlyStop.ABSOLUTE::equals).isPresent() ? 1 : 0);
    if (stop.isPresent()) {
      metrics.put("train/kl_exceed_frac_at_stop", epochShare);
    }
    if (steps > 0) {
      metrics.put("train/approx_kl_ema", smoothed);
      metrics.put("train/kl_exceed_frac", (double) exceeded / steps);
      metrics.put("train/kl_exceed_consec_max", longestRun);
    }
    lastExceeded.ifPresent(divergence -> metrics.put("train/kl_last_exceeded", divergence));
  }
}
