package io.quantail.calibration;

import java.util.Optional;

/**
 * What a rollout adds to the measurement of calibration.
 *
 * @param usableFraction predictions that were compared in this rollout over its transitions; above
 *     1 in a rollout in which many waiting predictions were compared
 * @param independent number of independent predictions compared since the last pooled measurement
 * @param pooled the measurement, in the rollout that completes {@value Calibration#ENOUGH}
 *     independent predictions; empty in all others
 * @param episodes lengths of episodes beside the horizon
 */
public record CalibrationReport(
    double usableFraction,
    double independent,
    Optional<CalibrationSummary> pooled,
    Episodes episodes) {

  /**
   * Lengths of episodes beside the horizon.
   *
   * @param horizon rewards that a return needs, see {@link RealisedReturns#horizon}
   * @param longest steps of the longest episode so far, running ones included
   * @param truncated whether an episode of this rollout was truncated
   * @param rollouts rollouts that a horizon spans
   */
  public record Episodes(long horizon, long longest, boolean truncated, long rollouts) {

    /** Whether an episode has been as long as the horizon. */
    public boolean reachHorizon() {
      return longest >= horizon;
    }
  }
}
