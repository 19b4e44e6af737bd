package io.quantail.ppo;

import io.quantail.loss.LossResult;
import io.quantail.metrics.Metrics;
import io.quantail.telemetry.RatioStatistics;
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
   * Whether the update has to end without the optimiser step of a minibatch.
   *
   * @param losses of the forward pass of the minibatch
   * @param stepsTaken optimiser steps that the update has taken
   */
  boolean refuses(List<LossResult> losses, int stepsTaken) {
    return rules.isPresent() && refuses(RatioStatistics.divergence(losses), stepsTaken);
  }

  /**
   * Applies the rules before an optimiser step.
   *
   * @param divergence mean KL of the minibatch; NaN when no microbatch was usable: such a minibatch
   *     has no step and is not counted
   * @param stepsTaken optimiser steps that the update has taken; before the first, the policy is
   *     the collecting one, its KL is 0 up to rounding and no rule applies
   */
  boolean refuses(double divergence, int stepsTaken) {
    if (rules.isEmpty() || Double.isNaN(divergence)) {
      return false;
    }
    KlEarlyStop.Step judged = rules.get().beforeStep(state, divergence);
    state = judged.state();
    stop = stepsTaken > 0 ? judged.stop() : Optional.empty();
    steps++;
    smoothed = judged.smoothed();
    longestRun = Math.max(longestRun, state.run());
    if (state.run() > 0) {
      exceeded++;
      lastExceeded = OptionalDouble.of(divergence);
    }
    return stopped();
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
