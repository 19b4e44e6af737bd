package io.quantail.telemetry;

import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import java.util.DoubleSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;

/** Statistics of an update's optimiser steps, and of those that were refused. */
final class GradientStatistics {
  private static final String FIRST_CRITIC = "train/critic1_grad_norm";
  private static final String SECOND_CRITIC = "train/critic2_grad_norm";

  private final Map<String, Double> groupNorms = new TreeMap<>();
  private final Map<String, DoubleSummaryStatistics> measures = new TreeMap<>();
  private double normBefore;
  private double normAfter;
  private double normLargest;
  private int clipped;
  private int taken;
  private int withoutGradient;
  private int withoutNorm;

  /**
   * Adds one optimiser step.
   *
   * @param hadGradient whether any microbatch had a usable gradient
   */
  void add(OptimizerStep.Report step, boolean hadGradient) {
    if (!step.taken()) {
      withoutGradient += hadGradient ? 0 : 1;
      withoutNorm += hadGradient ? 1 : 0;
      return;
    }
    taken++;
    normBefore += step.normBefore();
    normAfter += step.normAfter();
    normLargest = Math.max(normLargest, step.normBefore());
    clipped += step.normAfter() < step.normBefore() ? 1 : 0;
    step.groupNorms().forEach((name, norm) -> groupNorms.merge(name, norm, Double::sum));
    step.measures()
        .forEach(
            (name, value) ->
                measures.computeIfAbsent(name, any -> new DoubleSummaryStatistics()).accept(value));
  }

  int taken() {
    return taken;
  }

  /** Reports the means over the steps that were taken and, for measures, measured. */
  void report(Metrics metrics) {
    metrics.put("train/n_minibatches_done", taken);
    reportRefused(metrics);
    if (taken == 0) {
      return;
    }
    metrics.put("train/grad_norm_pre_clip", normBefore / taken);
    metrics.put("train/grad_norm_pre_clip_max", normLargest);
    metrics.put("train/grad_norm_post_clip", normAfter / taken);
    metrics.put("train/grad_clip_fraction", (double) clipped / taken);
    groupNorms.forEach((name, sum) -> metrics.put(name, sum / taken));
    measures.forEach((name, values) -> metrics.put(name, values.getAverage()));
    if (groupNorms.containsKey(FIRST_CRITIC) && groupNorms.containsKey(SECOND_CRITIC)) {
      new CriticGradientBalance(
              groupNorms.get(FIRST_CRITIC) / taken, groupNorms.get(SECOND_CRITIC) / taken)
          .report(metrics);
    }
  }

  private void reportRefused(Metrics metrics) {
    if (withoutGradient + withoutNorm > 0) {
      metrics.put("error/optimizer_steps_refused", withoutGradient + withoutNorm);
    }
    if (withoutGradient > 0) {
      metrics.put("warn/empty_microbatch_group", withoutGradient);
    }
    if (withoutNorm > 0) {
      metrics.put("warn/nonfinite_grad_norm", withoutNorm);
    }
  }
}
