package io.quantail.ppo;

import io.quantail.metrics.Metrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gathers what the steps of one update measured; reads only, and never influences them. */
final class UpdateStatistics {
  private static final double CONCERNING = 1;
  private static final double EXTREME = 10;
  private static final double VANISHING = 1e-8;
  private static final double IMBALANCE = 100;

  private final double clipRange;
  private final double cloningCoefficient;

  private final List<Double> stepK1 = new ArrayList<>();
  private final Map<String, Double> groupNorms = new TreeMap<>();
  private long samples;
  private long clipped;
  private long clamped;
  private long extreme;
  private double k1;
  private double k3;
  private double ratioSum;
  private double ratioSquares;
  private double logRatioSum;
  private double logRatioSquares;
  private double logRatioMax;
  private double entropySum;
  private double entropyMin = Double.POSITIVE_INFINITY;
  private double entropyMax = Double.NEGATIVE_INFINITY;
  private double surrogate;
  private double cloning;
  private double divergence;
  private double total;
  private double[] criticLosses;
  private double normBefore;
  private double normAfter;
  private int stepsTaken;
  private int stepsRefused;
  private int epochsCompleted;
  private int skippedPieces;
  private long nanLogRatios;
  private long infiniteLogRatios;
  private long inspectedLogRatios;
  private int nonFiniteLosses;

  UpdateStatistics(Microbatch.Coefficients coefficients, int critics) {
    this.clipRange = coefficients.clipRange();
    this.cloningCoefficient = coefficients.cloning();
    this.criticLosses = new double[critics];
  }

  /** Takes in one optimiser step and returns its mean k3 estimate of the KL. */
  double add(List<Microbatch.Result> results, GradientStep.Report step) {
    double stepSamples = 0;
    double stepFirst = 0;
    double stepThird = 0;
    for (Microbatch.Result result : results) {
      if (!result.usable()) {
        countSkipped(result);
        continue;
      }
      addTerms(result);
      for (float logRatio : result.logRatios()) {
        stepFirst += firstEstimate(logRatio);
        stepThird += thirdEstimate(logRatio);
        addLogRatio(logRatio);
      }
      for (float entropy : result.entropies()) {
        entropySum += entropy;
        entropyMin = Math.min(entropyMin, entropy);
        entropyMax = Math.max(entropyMax, entropy);
      }
      stepSamples += result.samples();
    }
    samples += (long) stepSamples;
    k1 += stepFirst;
    k3 += stepThird;
    stepK1.add(stepFirst / stepSamples);
    addStep(step);
    return stepThird / stepSamples;
  }

  /** k1 of one sample: unbiased, but negative for many samples. */
  static double firstEstimate(double logRatio) {
    return -logRatio;
  }

  /** k3 of one sample: unbiased, never negative, and of lower variance. */
  static double thirdEstimate(double logRatio) {
    return Math.expm1(logRatio) - logRatio;
  }

  private void addTerms(Microbatch.Result result) {
    int count = result.samples();
    surrogate += count * result.surrogateLoss();
    cloning += count * result.cloningLoss();
    divergence += count * result.divergence();
    total += count * result.total();
    for (int critic = 0; critic < criticLosses.length; critic++) {
      criticLosses[critic] += count * result.criticLosses()[critic];
    }
  }

  private void addLogRatio(float logRatio) {
    double ratio =
        Math.exp(
            Math.max(-PolicyLoss.LOG_RATIO_LIMIT, Math.min(PolicyLoss.LOG_RATIO_LIMIT, logRatio)));
    double size = Math.abs(logRatio);
    ratioSum += ratio;
    ratioSquares += ratio * ratio;
    logRatioSum += logRatio;
    logRatioSquares += (double) logRatio * logRatio;
    logRatioMax = Math.max(logRatioMax, size);
    clipped += Math.abs(ratio - 1) > clipRange ? 1 : 0;
    clamped += size > PolicyLoss.LOG_RATIO_LIMIT ? 1 : 0;
    extreme += size > EXTREME ? 1 : 0;
  }

  private void countSkipped(Microbatch.Result result) {
    skippedPieces++;
    inspectedLogRatios += result.logRatios().length;
    for (float logRatio : result.logRatios()) {
      nanLogRatios += Float.isNaN(logRatio) ? 1 : 0;
      infiniteLogRatios += Float.isInfinite(logRatio) ? 1 : 0;
    }
    nonFiniteLosses += result.finiteLogRatios() ? 1 : 0;
  }

  private void addStep(GradientStep.Report step) {
    if (!step.taken()) {
      stepsRefused++;
      return;
    }
    stepsTaken++;
    normBefore += step.normBefore();
    normAfter += step.normAfter();
    step.groupNorms().forEach((name, norm) -> groupNorms.merge(name, norm, Double::sum));
  }

  void epochCompleted() {
    epochsCompleted++;
  }

  double meanDivergence() {
    return divergence / samples;
  }

  double meanEntropy() {
    return entropySum / samples;
  }

  int stepsTaken() {
    return stepsTaken;
  }

  void report(Metrics metrics) {
    metrics.put("train/n_epochs_completed", epochsCompleted);
    metrics.put("train/n_minibatches_done", stepsTaken);
    reportFaults(metrics);
    if (samples == 0) {
      return;
    }
    reportLosses(metrics);
    reportRatios(metrics);
    reportGradients(metrics);
  }

  private void reportLosses(Metrics metrics) {
    metrics.put("train/loss", total / samples);
    metrics.put("train/policy_loss_ppo", surrogate / samples);
    metrics.put("train/policy_loss", (surrogate + cloningCoefficient * cloning) / samples);
    metrics.put("train/policy_loss_bc", cloning / samples);
    metrics.put("train/policy_loss_bc_weighted", cloningCoefficient * cloning / samples);
    metrics.put(
        "train/policy_bc_vs_ppo_ratio",
        Math.abs(cloningCoefficient * cloning / samples) / (Math.abs(surrogate / samples) + 1e-8));
    metrics.put(
        "train/value_ce_loss", Arrays.stream(criticLosses).average().orElseThrow() / samples);
    if (criticLosses.length == 2) {
      metrics.put("train/twin_critics/critic_1_loss", criticLosses[0] / samples);
      metrics.put("train/twin_critics/critic_2_loss", criticLosses[1] / samples);
      metrics.put("train/twin_critics/loss_diff", (criticLosses[0] - criticLosses[1]) / samples);
    }
    metrics.put("train/policy_entropy", meanEntropy());
    metrics.put("train/policy_entropy_min", entropyMin);
    metrics.put("train/policy_entropy_max", entropyMax);
    metrics.put("train/entropy_loss", -meanEntropy());
  }

  private void reportRatios(Metrics metrics) {
    double ratioMean = ratioSum / samples;
    double ratioVariance = Math.max(0, ratioSquares / samples - ratioMean * ratioMean);
    double logRatioMean = logRatioSum / samples;
    metrics.put("train/ratio_mean", ratioMean);
    metrics.put("train/ratio_var", ratioVariance);
    metrics.put("train/ratio_std", Math.sqrt(ratioVariance));
    metrics.put("train/log_ratio_mean", logRatioMean);
    metrics.put(
        "train/log_ratio_std",
        Math.sqrt(Math.max(0, logRatioSquares / samples - logRatioMean * logRatioMean)));
    metrics.put("train/log_ratio_max_abs", logRatioMax);
    metrics.put("train/log_ratio_extreme_fraction", (double) extreme / samples);
    metrics.put("train/log_ratio_clamped_fraction", (double) clamped / samples);
    metrics.put("train/clip_fraction", (double) clipped / samples);
    metrics.put("train/approx_kl", k1 / samples);
    metrics.put("train/approx_kl_k3", k3 / samples);
    metrics.put("train/kl_exact", meanDivergence());
    double[] sorted = stepK1.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    metrics.put("train/approx_kl_median", sorted[sorted.length / 2]);
    metrics.put("train/approx_kl_p90", sorted[(int) (0.9 * (sorted.length - 1))]);
    metrics.put("train/approx_kl_max", sorted[sorted.length - 1]);
    if (logRatioMax > CONCERNING) {
      metrics.put("warn/log_ratio_concerning", logRatioMax);
    }
    if (logRatioMax > EXTREME) {
      metrics.put("warn/log_ratio_severe_instability", logRatioMax);
      metrics.put("warn/log_ratio_extreme_count", extreme);
    }
  }

  private void reportGradients(Metrics metrics) {
    if (stepsTaken == 0) {
      return;
    }
    metrics.put("train/grad_norm_pre_clip", normBefore / stepsTaken);
    metrics.put("train/grad_norm_post_clip", normAfter / stepsTaken);
    groupNorms.forEach((name, sum) -> metrics.put(name, sum / stepsTaken));
    Double first = groupNorms.get("train/critic1_grad_norm");
    Double second = groupNorms.get("train/critic2_grad_norm");
    if (first == null || second == null) {
      return;
    }
    first /= stepsTaken;
    second /= stepsTaken;
    if (first < VANISHING) {
      metrics.put("warn/critic1_vanishing_gradients", first);
    }
    if (second < VANISHING) {
      metrics.put("warn/critic2_vanishing_gradients", second);
    }
    if (first >= VANISHING && second >= VANISHING) {
      double ratio = first / second;
      metrics.put("train/critics_grad_ratio", ratio);
      if (ratio > IMBALANCE || ratio < 1 / IMBALANCE) {
        metrics.put("warn/twin_critics_gradient_imbalance", 1);
        metrics.put("warn/critics_grad_imbalance_ratio", ratio);
      }
    }
  }

  private void reportFaults(Metrics metrics) {
    if (stepsRefused > 0) {
      metrics.put("error/optimizer_steps_refused", stepsRefused);
    }
    if (nonFiniteLosses > 0) {
      metrics.put("error/nan_or_inf_loss_detected", nonFiniteLosses);
    }
    long invalid = nanLogRatios + infiniteLogRatios;
    if (invalid > 0) {
      metrics.put("error/log_ratio_nan_or_inf_detected", 1);
      metrics.put("error/log_ratio_nan_count", nanLogRatios);
      metrics.put("error/log_ratio_inf_count", infiniteLogRatios);
      metrics.put("error/log_ratio_total_samples", inspectedLogRatios);
      metrics.put("error/log_ratio_invalid_fraction", (double) invalid / inspectedLogRatios);
      metrics.put("error/log_ratio_issue_type", nanLogRatios >= infiniteLogRatios ? 0 : 1);
      metrics.put("warn/skipping_batch_due_to_nan_log_ratio", skippedPieces);
    }
  }
}
