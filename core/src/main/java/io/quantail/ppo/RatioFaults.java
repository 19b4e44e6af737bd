package io.quantail.ppo;

import io.quantail.metrics.Metrics;

/** Counts the log-ratios that were not finite, in the pieces that were left out because of them. */
final class RatioFaults {
  private int pieces;
  private long nan;
  private long infinite;
  private long inspected;
  private boolean nothingFinite;

  /** Takes in a piece with at least one log-ratio that is not finite. */
  void add(LossResult result) {
    long before = nan + infinite;
    for (float logRatio : result.logRatios()) {
      nan += Float.isNaN(logRatio) ? 1 : 0;
      infinite += Float.isInfinite(logRatio) ? 1 : 0;
    }
    int count = result.logRatios().length;
    nothingFinite |= nan + infinite - before == count;
    inspected += count;
    pieces++;
  }

  void report(Metrics metrics) {
    if (pieces == 0) {
      return;
    }
    metrics.put("error/log_ratio_nan_or_inf_detected", 1);
    metrics.put("error/log_ratio_nonfinite", 1);
    metrics.put("error/log_ratio_nan_count", nan);
    metrics.put("error/log_ratio_inf_count", infinite);
    metrics.put("error/log_ratio_total_samples", inspected);
    metrics.put("error/log_ratio_invalid_fraction", (double) (nan + infinite) / inspected);
    metrics.put("error/log_ratio_issue_type", nan >= infinite ? 0 : 1);
    metrics.put("warn/skipping_batch_due_to_nan_log_ratio", pieces);
    if (nothingFinite) {
      metrics.put("warn/ratio_all_nonfinite", 1);
    }
  }
}
