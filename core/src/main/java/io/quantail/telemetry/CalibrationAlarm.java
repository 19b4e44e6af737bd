package io.quantail.telemetry;

import io.quantail.calibration.CalibrationReport;
import io.quantail.calibration.CalibrationSummary;
import io.quantail.config.RiskConfig;
import io.quantail.metrics.Metrics;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;

/**
 * Warns when predicted distributions do not fit realised returns in two pooled measurements in a
 * row.
 *
 * <p>{@code warn/tail_understated} carries a {@code coverage_05} above {@value #UNDERSTATED},
 * {@code warn/tail_overstated} one below {@value #OVERSTATED}, {@code warn/miscalibrated} a {@code
 * pit_deviation} above {@value #MISCALIBRATED}. While one of them stands, {@code
 * warn/limit_on_uncalibrated_tail} is 1 in every update of a run whose risk mode acts on the
 * predicted CVaR. {@code warn/calibration_unmeasured} carries the number of updates in a row
 * without a compared prediction, from {@value #UNMEASURED} on or from as many as a horizon spans,
 * although an episode has been as long as the horizon. {@code CalibrationAlarmTest} pins it.
 */
public final class CalibrationAlarm implements Restorable {
  private static final double UNDERSTATED = 0.10;
  private static final double OVERSTATED = 0.015;
  private static final double MISCALIBRATED = 0.08;
  private static final long PATIENCE = 2;
  private static final long UNMEASURED = 10;

  private final boolean actsOnPredictions;
  private long understated; // measurements in a row
  private long overstated;
  private long miscalibrated;
  private long unmeasured; // updates in a row

  /**
   * No measurement so far.
   *
   * @param risk how the run limits its tail
   */
  public CalibrationAlarm(RiskConfig risk) {
    actsOnPredictions =
        risk.mode() == RiskConfig.Mode.PENALTY || risk.mode() == RiskConfig.Mode.CONSTRAINT;
  }

  /** Takes in the report of an update. */
  public void observe(Metrics metrics, CalibrationReport report) {
    report.pooled().ifPresent(pooled -> judge(metrics, pooled));
    boolean standing = Math.max(Math.max(understated, overstated), miscalibrated) >= PATIENCE;
    if (standing && actsOnPredictions) {
      metrics.put("warn/limit_on_uncalibrated_tail", 1);
    }
    boolean missing = report.usableFraction() == 0 && report.episodes().reachHorizon();
    unmeasured = missing ? unmeasured + 1 : 0;
    if (unmeasured >= Math.max(UNMEASURED, report.episodes().rollouts())) {
      metrics.put("warn/calibration_unmeasured", unmeasured);
    }
  }

  private void judge(Metrics metrics, CalibrationSummary pooled) {
    understated = pooled.coverage05() > UNDERSTATED ? understated + 1 : 0;
    overstated = pooled.coverage05() < OVERSTATED ? overstated + 1 : 0;
    miscalibrated = pooled.pitDeviation() > MISCALIBRATED ? miscalibrated + 1 : 0;
    if (understated >= PATIENCE) {
      metrics.put("warn/tail_understated", pooled.coverage05());
    }
    if (overstated >= PATIENCE) {
      metrics.put("warn/tail_overstated", pooled.coverage05());
    }
    if (miscalibrated >= PATIENCE) {
      metrics.put("warn/miscalibrated", pooled.pitDeviation());
    }
  }

  @Override
  public void save(StateMap state) {
    state.putLongs("runs", new long[] {understated, overstated, miscalibrated, unmeasured});
  }

  /** A state of a build without this alarm has no entries: counting begins anew. */
  @Override
  public Runnable restoring(StateMap state) {
    long[] runs = state.contains("runs") ? state.longs("runs", 4) : new long[4];
    return () -> {
      understated = runs[0];
      overstated = runs[1];
      miscalibrated = runs[2];
      unmeasured = runs[3];
    };
  }
}
