package io.quantail.telemetry;

import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.metrics.Metrics;
import io.quantail.optim.OptimizerStep;
import java.util.List;

/**
 * Statistics of the minibatches and optimiser steps of one update.
 *
 * <p>It only reads. Two of its means control the next update: the exact KL divergence (KL penalty)
 * and the entropy (its plateau). Losses and ratios are those of all minibatches, also of one whose
 * step was refused because of its KL: without it the mean KL of an update that went too far would
 * be too small, and the KL penalty would fall.
 */
public final class UpdateStatistics {
  private final LossStatistics losses;
  private final RatioStatistics ratios;
  private final GradientStatistics gradients = new GradientStatistics();
  private int epochsCompleted;
  private boolean lastUsable;

  /**
   * @param critics number of critics
   */
  public UpdateStatistics(LossCoefficients coefficients, int critics) {
    losses = new LossStatistics(coefficients, critics);
    ratios = new RatioStatistics(coefficients.clipRange());
  }

  /** Adds the microbatches of a minibatch. */
  public void add(List<LossResult> results) {
    List<LossResult> used = results.stream().filter(LossResult::usable).toList();
    used.forEach(losses::add);
    results.stream().filter(result -> !result.usable()).forEach(this::addFault);
    ratios.add(used);
    lastUsable = !used.isEmpty();
  }

  /** Adds the optimiser step of the minibatch that was added last. */
  public void add(OptimizerStep.Report step) {
    gradients.add(step, lastUsable);
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
      metrics.put("train/actual_batch_size", ratios.meanSamples());
    }
    losses.report(metrics);
    ratios.report(metrics);
    gradients.report(metrics);
  }
}
