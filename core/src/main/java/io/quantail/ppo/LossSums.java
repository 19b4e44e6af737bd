package io.quantail.ppo;

import io.quantail.critic.ClippedLoss;
import java.util.Optional;

/** The terms of the loss, summed over the samples of a microbatch. */
final class LossSums {
  final float[] logRatios;
  final float[] entropies;
  final double[] critics;
  double surrogate;
  double cloning;
  double divergence;
  double entropy;
  Optional<ClippedLoss.Reading> valueClip = Optional.empty();
  RiskTerm.Reading risk = RiskTerm.Reading.NONE; // of the mean CVaR, not a sum

  LossSums(int samples, int critics) {
    logRatios = new float[samples];
    entropies = new float[samples];
    this.critics = new double[critics];
  }

  LossResult result(LossCoefficients coefficients) {
    int samples = logRatios.length;
    double[] criticLosses = new double[critics.length];
    for (int one = 0; one < critics.length; one++) {
      criticLosses[one] = critics[one] / samples;
    }
    return new LossResult(
        samples,
        logRatios,
        entropies,
        surrogate / samples,
        cloning / samples,
        divergence / samples,
        criticLosses,
        valueClip,
        risk,
        total(coefficients));
  }

  /** The loss; pinned by {@code total_loss_composition}. */
  double total(LossCoefficients coefficients) {
    int samples = logRatios.length;
    double criticSum = 0;
    for (double critic : critics) {
      criticSum += critic / samples;
    }
    return (surrogate
                + coefficients.cloning() * cloning
                + coefficients.klPenalty() * divergence
                - coefficients.entropy() * entropy)
            / samples
        + coefficients.critic() * criticSum / critics.length
        + risk.total();
  }
}
