package io.quantail.telemetry;

import io.quantail.loss.LossResult;
import io.quantail.loss.PolicyLoss;
import io.quantail.math.Percentiles;
import io.quantail.metrics.Metrics;
import java.util.ArrayList;
import java.util.List;

/**
 * Statistics of the probability ratios of an update, and the KL divergence estimated from them.
 *
 * <p>With {@code l} the log-ratio of new to old: {@code k1 = mean(-l)}, {@code k3 = mean(exp(l) - 1
 * - l)}. Log-ratios are measured before they are bounded. Those of microbatches that were skipped
 * because a log-ratio was not finite are counted separately.
 */
public final class RatioStatistics {
  private static final double CONCERNING = 1;
  private static final double EXTREME = 10;

  private final double clipRange;
  private final List<Double> stepK1 = new ArrayList<>();
  private long samples;
  private long clipped;
  private long clamped;
  private long extreme;
  private double k1;
  private double k3;
  private double ratioSum;
  private double ratioSquares;
  private double logRatioSquares;
  private double largest;
  private double lastClipShare;
  private final Faults faults = new Faults();

  RatioStatistics(double clipRange) {
    this.clipRange = clipRange;
  }

  /** k1 of one sample: unbiased, but negative for many samples. */
  public static double firstEstimate(double logRatio) {
    return -logRatio;
  }

  /** k3 of one sample: unbiased, never negative, and of lower variance. */
  public static double thirdEstimate(double logRatio) {
    return Math.expm1(logRatio) - logRatio;
  }

  /** Mean k3 over the usable microbatches of a minibatch; NaN when there are none. */
  public static double divergence(List<LossResult> results) {
    double sum = 0;
    long count = 0;
    for (LossResult result : results) {
      if (result.usable()) {
        for (float logRatio : result.logRatios()) {
          sum += thirdEstimate(logRatio);
        }
        count += result.logRatios().length;
      }
    }
    return sum / count;
  }

  /** Adds the microbatches of one minibatch that were used. */
  void add(List<LossResult> used) {
    long samplesBefore = samples;
    long clippedBefore = clipped;
    double stepK3 = 0;
    double sum = 0;
    for (LossResult result : used) {
      for (float logRatio : result.logRatios()) {
        sum += firstEstimate(logRatio);
        stepK3 += thirdEstimate(logRatio);
        addLogRatio(logRatio);
      }
    }
    double count = samples - samplesBefore;
    if (count > 0) {
      k1 += sum;
      k3 += stepK3;
      stepK1.add(sum / count);
      lastClipShare = (clipped - clippedBefore) / count;
    }
  }

  private void addLogRatio(double logRatio) {
    double limit = PolicyLoss.LOG_RATIO_LIMIT;
    double ratio = Math.exp(Math.max(-limit, Math.min(limit, logRatio)));
    double size = Math.abs(logRatio);
    samples++;
    ratioSum += ratio;
    ratioSquares += ratio * ratio;
    logRatioSquares += logRatio * logRatio;
    largest = Math.max(largest, size);
    clipped += Math.abs(ratio - 1) > clipRange ? 1 : 0;
    clamped += size > limit ? 1 : 0;
    extreme += size > EXTREME ? 1 : 0;
  }

  /** The mean number of samples of a minibatch. */
  double meanSamples() {
    return (double) samples / stepK1.size();
  }

  /** Adds a microbatch that was skipped because of a log-ratio that is not finite. */
  void addFault(LossResult result) {
    faults.add(result);
  }

  void report(Metrics metrics) {
    faults.report(metrics);
    if (samples == 0) {
      return;
    }
    reportRatios(metrics);
    reportDivergence(metrics);
    reportAlerts(metrics);
  }

  private void reportRatios(Metrics metrics) {
    double ratioMean = ratioSum / samples;
    double variance = Math.max(0, ratioSquares / samples - ratioMean * ratioMean);
    double mean = -k1 / samples;
    metrics.put("train/ratio_mean", ratioMean);
    metrics.put("train/ratio_var", variance);
    metrics.put("train/ratio_std", Math.sqrt(variance));
    metrics.put("train/log_ratio_mean", mean);
    metrics.put(
        "train/log_ratio_std", Math.sqrt(Math.max(0, logRatioSquares / samples - mean * mean)));
    metrics.put("train/log_ratio_max_abs", largest);
    metrics.put("train/log_ratio_extreme_fraction", (double) extreme / samples);
    metrics.put("train/log_ratio_clamped_fraction", (double) clamped / samples);
    metrics.put("train/clip_fraction", (double) clipped / samples);
    metrics.put("train/clip_fraction_batch", lastClipShare);
  }

  private void reportDivergence(Metrics metrics) {
    Percentiles steps = Percentiles.of(stepK1.stream().mapToDouble(Double::doubleValue).toArray());
    metrics.put("train/approx_kl", k1 / samples);
    metrics.put("train/approx_kl_k3", k3 / samples);
    metrics.put("train/approx_kl_median", steps.at(0.5));
    metrics.put("train/approx_kl_p90", steps.at(0.9));
    metrics.put("train/approx_kl_max", steps.at(1));
  }

  private void reportAlerts(Metrics metrics) {
    if (largest > CONCERNING) {
      metrics.put("warn/log_ratio_concerning", largest);
    }
    if (largest > EXTREME) {
      metrics.put("warn/log_ratio_severe_instability", largest);
      metrics.put("warn/log_ratio_extreme_batch", 1);
      metrics.put("warn/log_ratio_extreme_count", extreme);
    }
  }

  /** Counts log-ratios that are not finite. */
  private static final class Faults {
    private int microbatches;
    private long nan;
    private long infinite;
    private long inspected;
    private boolean nothingFinite;

    void add(LossResult result) {
      long before = nan + infinite;
      for (float logRatio : result.logRatios()) {
        nan += Float.isNaN(logRatio) ? 1 : 0;
        infinite += Float.isInfinite(logRatio) ? 1 : 0;
      }
      int count = result.logRatios().length;
      nothingFinite |= nan + infinite - before == count;
      inspected += count;
      microbatches++;
    }

    void report(Metrics metrics) {
      if (microbatches == 0) {
        return;
      }
      metrics.put("error/log_ratio_nan_or_inf_detected", 1);
      metrics.put("error/log_ratio_nonfinite", 1);
      metrics.put("error/log_ratio_nan_count", nan);
      metrics.put("error/log_ratio_inf_count", infinite);
      metrics.put("error/log_ratio_total_samples", inspected);
      metrics.put("error/log_ratio_invalid_fraction", (double) (nan + infinite) / inspected);
      metrics.put("error/log_ratio_issue_type", nan >= infinite ? 0 : 1);
      metrics.put("warn/skipping_batch_due_to_nan_log_ratio", microbatches);
      if (nothingFinite) {
        metrics.put("warn/ratio_all_nonfinite", 1);
      }
    }
  }
}
