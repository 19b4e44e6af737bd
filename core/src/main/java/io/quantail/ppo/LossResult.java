package io.quantail.ppo;

import io.quantail.critic.ClippedLoss;
import java.util.Optional;

/**
 * Mean loss terms and per-sample quantities of a microbatch.
 *
 * @param samples number of samples
 * @param logRatios log-ratio of each sample, before any bound
 * @param entropies policy entropy of each sample
 * @param criticLosses mean loss of each critic
 * @param valueClip what clipping the critics did; empty when they were free
 * @param risk the terms of the predicted CVaR; zero without them
 */
record LossResult(
    int samples,
    float[] logRatios,
    float[] entropies,
    double surrogateLoss,
    double cloningLoss,
    double divergence,
    double[] criticLosses,
    Optional<ClippedLoss.Reading> valueClip,
    RiskTerm.Reading risk,
    double total) {

  /** Whether the gradient of this microbatch may be used. */
  boolean usable() {
    return finiteLogRatios() && Double.isFinite(total);
  }

  boolean finiteLogRatios() {
    for (float logRatio : logRatios) {
      if (!Float.isFinite(logRatio)) {
        return false;
      }
    }
    return true;
  }
}
