package io.quantail.loss;

import io.quantail.risk.CvarLossTerm;
import io.quantail.value.ClippedLoss;
import java.util.Optional;

/** The terms of the loss, summed over the samples of a microbatch. */
public final class LossSums {
  final float[] logRatios;
  final float[] entropies;
  public final double[] critics;
  public double surrogate;
  public double cloning;
  public double divergence;
  public double entropy;
  double meanHeads; // part of the critics' sums
  Optional<ClippedLoss.Reading> valueClip = Optional.empty();
  public CvarLossTerm.Reading risk = CvarLossTerm.Reading.NONE; // of the mean CVaR, not a sum

  public LossSums(int samples, int critics) {
    logRatios = new float[samples];
    entropies = new float[samples];
    this.critics = new double[critics];
  }

  public LossResult result(LossCoefficients coefficients) {
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
        meanHeads / samples / critics.length,
        valueClip,
        risk,
        total(coefficients));
  }

  /** The loss; pinned by {@code total_loss_composition}. */
  public double total(LossCoefficients coefficients) {
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
