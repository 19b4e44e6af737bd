package io.quantail.market.backtest;

import io.quantail.config.RiskConfig;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.List;

/**
 * The return that an agent predicts at one decision: the distribution of the discounted sum of its
 * log-returns, Σ gamma^k ln(E[t+k+1] / E[t+k]), in raw units.
 *
 * @param mean expected value
 * @param quantiles at {@link #LEVELS}
 * @param cvar mean of the worst fraction {@code alpha}
 * @param alpha fraction of the worst returns in {@code cvar}
 */
public record ReturnForecast(double mean, double[] quantiles, double cvar, double alpha) {
  /** Levels of the quantiles: probabilities of a smaller return. */
  public static final List<Double> LEVELS = List.of(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99);

  /**
   * The prediction of the critics, averaged over them.
   *
   * @param outputs of all critics, one after the other
   * @param scale converts predictions to returns
   * @param risk how the lower tail is measured
   * @param levels of the quantiles
   */
  static ReturnForecast of(
      Critic critic, float[] outputs, ReturnScale scale, RiskConfig risk, List<Double> levels) {
    int critics = outputs.length / critic.outputs();
    double mean = 0;
    double cvar = 0;
    double[] quantiles = new double[levels.size()];
    for (int offset = 0; offset < outputs.length; offset += critic.outputs()) {
      mean += critic.mean(outputs, offset) / critics;
      critic.read(outputs, offset);
      cvar += critic.cvar(risk.alpha(), risk.method()) / critics;
      for (int i = 0; i < quantiles.length; i++) {
        quantiles[i] += critic.quantile(levels.get(i)) / critics;
      }
    }
    Arrays.setAll(quantiles, i -> scale.denormalize(quantiles[i]));
    return new ReturnForecast(
        scale.denormalize(mean), quantiles, scale.denormalize(cvar), risk.alpha());
  }
}
