package io.quantail.loss;

import io.quantail.risk.CvarLossTerm;
import io.quantail.value.ClippedLoss;
import java.util.Optional;

/**
 * Mean loss terms and per-sample quantities of a microbatch.
 *
 * @param samples number of samples
 * @param logRatios log-ratio of each sample, before any bound
 * @param entropies policy entropy of each sample
 * @param surrogateLoss mean clipped surrogate
 * @param cloningLoss mean behaviour-cloning term, before its coefficient
 * @param divergence mean KL divergence from the old policy
 * @param criticLosses mean loss of each critic
 * @param meanHeadLoss part of it that is the mean head's, averaged over the critics
 * @param valueClip effect of clipping the critics; empty when they are not clipped
 * @param risk the terms of the predicted CVaR; zero without them
 * @param total the whole loss
 */
public record LossResult(
    int samples,
    float[] logRatios,
    float[] entropies,
    double surrogateLoss,
    double cloningLoss,
    double divergence,
    double[] criticLosses,
    double meanHeadLoss,
    Optional<ClippedLoss.Reading> valueClip,
    CvarLossTerm.Reading risk,
    double total) {

  /** Whether the gradient of this microbatch may be used. */
  public boolean usable() {
    return finiteLogRatios() && Double.isFinite(total);
  }

  /** Whether all log-ratios are finite. */
  public boolean finiteLogRatios() {
    for (float logRatio : logRatios) {
      if (!Float.isFinite(logRatio)) {
        return false;
      }
    }
    return true;
  }
}
