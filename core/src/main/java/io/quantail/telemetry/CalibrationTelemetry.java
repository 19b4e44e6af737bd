package io.quantail.telemetry;

import io.quantail.calibration.CalibrationReport;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.metrics.Metrics;

/** Reports how well predicted distributions fit realised returns; reads only. */
public final class CalibrationTelemetry {
  private static final String PREFIX = "train/calibration/";

  private CalibrationTelemetry() {}

  /** Reports one rollout; what is undefined in it is absent. */
  public static void report(Metrics metrics, CalibrationReport report) {
    metrics.put(PREFIX + "usable_fraction", report.usableFraction());
    metrics.put(PREFIX + "independent", report.independent());
    report.pooled().ifPresent(pooled -> pooled(metrics, pooled));
    CalibrationReport.Episodes episodes = report.episodes();
    if (episodes.truncated() && !episodes.reachHorizon() && report.usableFraction() == 0) {
      metrics.put("info/longest_episode_below_horizon", episodes.longest());
    }
  }

  private static void pooled(Metrics metrics, CalibrationSummary pooled) {
    metrics.put(PREFIX + "coverage_05", pooled.coverage05());
    metrics.put(PREFIX + "coverage_20", pooled.coverage20());
    metrics.put(PREFIX + "coverage_50", pooled.coverage50());
    metrics.put(PREFIX + "coverage_95", pooled.coverage95());
    metrics.put(PREFIX + "pit_deviation", pooled.pitDeviation());
    metrics.put(PREFIX + "lag_updates", pooled.lagUpdates());
    Double realised = pooled.tailRealised();
    Double predicted = pooled.tailPredicted();
    if (realised != null && predicted != null) {
      metrics.put(PREFIX + "tail_realised", realised);
      metrics.put(PREFIX + "tail_predicted", predicted);
    }
  }
}
