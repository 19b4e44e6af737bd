package io.quantail.ppo;

import io.quantail.metrics.Metrics;
import java.util.List;

/**
 * What the steps of one update measured.
 *
 * <p>It only reads. Three of its means steer the update: the k3 of a step (early stop), the exact
 * divergence (KL penalty) and the entropy (its plateau).
 */
final class UpdateStatistics {
  private final LossStatistics losses;
  private final RatioStatistics ratios;
  private final RatioFaults ratioFaults = new RatioFaults();
  private final GradientStatistics gradients = new GradientStatistics();
  private int epochsCompleted;
  private double lastDivergence;

  UpdateStatistics(LossCoefficients coefficients, int critics) {
    losses = new LossStatistics(coefficients, critics);
    ratios = new RatioStatistics(coefficients.clipRange());
  }

  /** Takes in the pieces of a batch; {@link #lastDivergence()} is theirs from now on. */
  void add(List<LossResult> results) {
    List<LossResult> used = results.stream().filter(LossResult::usable).toList();
    used.forEach(losses::add);
    results.stream().filter(result -> !result.usable()).forEach(this::addFault);
    lastDivergence = ratios.add(used);
  }

  /** Takes in the optimiser step of the batch that was added last. */
  void add(GradientStep.Report step) {
    gradients.add(step, !Double.isNaN(lastDivergence));
  }

  /** The mean k3 estimate of the KL over the last batch; NaN when no piece of it was usable. */
  double lastDivergence() {
    return lastDivergence;
  }

  private void addFault(LossResult result) {
    if (result.finiteLogRatios()) {
      losses.addFault(result);
    } else {
      ratioFaults.add(result);
    }
  }

  void epochCompleted() {
    epochsCompleted++;
  }

  double meanDivergence() {
    return losses.meanDivergence();
  }

  double meanEntropy() {
    return losses.meanEntropy();
  }

  int stepsTaken() {
    return gradients.taken();
  }

  void report(Metrics metrics) {
    metrics.put("train/n_epochs_completed", epochsCompleted);
    if (stepsTaken() > 0) {
      metrics.put("train/actual_batch_size", (double) ratios.samples() / stepsTaken());
    }
    losses.report(metrics);
    ratios.report(metrics);
    ratioFaults.report(metrics);
    gradients.report(metrics);
  }
}
