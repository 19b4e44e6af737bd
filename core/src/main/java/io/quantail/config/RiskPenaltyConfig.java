package io.quantail.config;

/**
 * The weight of the predicted CVaR in the loss; section {@code risk.penalty}.
 *
 * @param weight weight once ramped in; at least 0; default 0.5
 * @param weightCap upper bound of the weight; at least 0; default 0.7
 * @param rampUpdates updates in a row with enough explained variance until the full weight applies;
 *     at least 1; default 4
 * @param thresholdExplainedVariance explained variance of the last update below which the weight is
 *     0 and the ramp restarts; in [-1, 1]; default 0.25
 */
public record RiskPenaltyConfig(
    double weight, double weightCap, int rampUpdates, double thresholdExplainedVariance) {
  public RiskPenaltyConfig {
    Check.notNegative("risk.penalty.weight", weight);
    Check.notNegative("risk.penalty.weightCap", weightCap);
    Check.atLeast("risk.penalty.rampUpdates", rampUpdates, 1);
    Check.within("risk.penalty.thresholdExplainedVariance", thresholdExplainedVariance, -1, 1);
  }

  public static RiskPenaltyConfig defaults() {
    return new RiskPenaltyConfig(0.5, 0.7, 4, 0.25);
  }
}
