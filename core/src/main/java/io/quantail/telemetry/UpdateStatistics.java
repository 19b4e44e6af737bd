package io.quantail.telemetry;

import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import java.util.List;

/**
 * Statistics of the optimiser steps of one update.
 *
 * <p>It only reads. Three of its means control the update: the k3 of a step (early stop), the exact
 * KL divergence (KL penalty) and the entropy (its plateau).
 */
public final class UpdateStatistics {
  private final LossStatistics losses;
  private final RatioStatistics ratios;
  private final GradientStatistics gradients = new GradientStatistics();
  private int epochsCompleted;
  private double lastDivergence;

  /**
   * @param critics number of critics
   */
  public UpdateStatistics(LossCoefficients coefficients, int critics) {
    losses = new LossStatistics(coefficients, critics);
    ratios = new RatioStatistics(coefficients.clipRange());
  }

  /** Adds the microbatches of a minibatch; {@link #lastDivergence()} is theirs from now on. */
  public void add(List<LossResult> results) {
    List<LossResult> used = results.stream().filter(LossResult::usable).toList();
    used.forEach(losses::add);
    results.stream().filter(result -> !result.usable()).forEach(this::addFault);
    lastDivergence = ratios.add(used);
  }

  /** Adds the optimiser step of the minibatch that was added last. */
  public void add(OptimizerStep.Report step) {
    gradients.add(step, !Double.isNaN(lastDivergence));
  }

  /** The mean k3 estimate of the KL over the last minibatch; NaN if no microbatch was usable. */
  public double lastDivergence() {
    return lastDivergence;
  }

  private void addFault(LossResult result) {
    if (result.finiteLogRatios()) {
      losses.addFault(result);
    } else {
      ratios.addFault(result);
    }
  }

  /** Counts an epoch that ran to its end. */
  public void epochCompleted() {
    epochsCompleted++;
  }

  /** The mean exact KL divergence from the old policy. */
  public double meanDivergence() {
    return losses.meanDivergence();
  }

  /** The mean entropy of the policy. */
  public double meanEntropy() {
    return losses.meanEntropy();
  }

  /** The number of optimiser steps that changed the parameters. */
  public int stepsTaken() {
    return gradients.taken();
  }

  /** Reports all statistics. */
  public void report(Metrics metrics) {
    metrics.put("train/n_epochs_completed", epochsCompleted);
    if (stepsTaken() > 0) {
      metrics.put("train/actual_batch_size", (double) ratios.samples() / stepsTaken());
    }
    losses.report(metrics);
    ratios.report(metrics);
    gradients.report(metrics);
  }
}
