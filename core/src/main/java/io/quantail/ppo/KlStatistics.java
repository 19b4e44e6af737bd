package io.quantail.ppo;

import io.quantail.metrics.Metrics;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Applies the rules of the early stop through one update and counts how often they are met. */
public final class KlStatistics {
  /** The code of a reason is its index in this list plus 1; 0 means no stop. */
  private static final List<String> REASONS =
      List.of(KlEarlyStop.ABSOLUTE, KlEarlyStop.CONSECUTIVE, KlEarlyStop.FRACTION);

  private final Optional<KlEarlyStop> rules;
  private KlEarlyStop.State state = KlEarlyStop.State.START;
  private Optional<String> stop = Optional.empty();
  private int steps;
  private int exceeded;
  private int longestRun;
  private double smoothed;
  private OptionalDouble lastExceeded = OptionalDouble.empty();

  /**
   * @param rules empty without a target
   */
  KlStatistics(Optional<KlEarlyStop> rules) {
    this.rules = rules;
  }

  /** Whether the update has to end. */
  boolean stopped() {
    return stop.isPresent();
  }

  /** Starts an epoch. */
  void startEpoch() {
    state = state.nextEpoch();
  }

  /**
   * Applies the rules after an optimiser step.
   *
   * @param divergence mean KL of the minibatch; NaN when no microbatch was usable: such a step has
   *     not changed the policy and is not counted
   */
  void afterStep(double divergence) {
    if (rules.isEmpty() || Double.isNaN(divergence)) {
      return;
    }
    KlEarlyStop.Step judged = rules.get().afterStep(state, divergence);
    state = judged.state();
    stop = judged.stop();
    steps++;
    smoothed = judged.smoothed();
    longestRun = Math.max(longestRun, state.run());
    if (state.run() > 0) {
      exceeded++;
      lastExceeded = OptionalDouble.of(divergence);
    }
  }

  /** Applies the rules after the last step of an epoch. */
  void afterEpoch() {
    stop = rules.flatMap(rule -> rule.afterEpoch(state));
  }

  /** Reports nothing without a target. */
  void report(Metrics metrics) {
    if (rules.isEmpty()) {
      return;
    }
    metrics.put("train/kl_early_stop", stop.isPresent() ? 1 : 0);
    metrics.put("train/kl_stop_reason", stop.map(reason -> REASONS.indexOf(reason) + 1).orElse(0));
    metrics.put(
        "train/kl_absolute_stop_trigger",
        stop.filter(KlEarlyStop.ABSOLUTE::equals).isPresent() ? 1 : 0);
    if (stop.isPresent()) {
      metrics.put("train/kl_exceed_frac_at_stop", state.exceededShare());
    }
    if (steps > 0) {
      metrics.put("train/approx_kl_ema", smoothed);
      metrics.put("train/kl_exceed_frac", (double) exceeded / steps);
      metrics.put("train/kl_exceed_consec_max", longestRun);
    }
    lastExceeded.ifPresent(divergence -> metrics.put("train/kl_last_exceeded", divergence));
  }
}
