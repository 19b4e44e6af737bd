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
public record ReturnPrediction(double mean, double[] quantiles, double cvar, double alpha) {
  /** Levels of the quantiles: probabilities of a smaller return. */
  public static final List<Double> LEVELS = List.of(0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99);

  /**
   * The prediction of the critics: the distribution of the one with the lower mean.
   *
   * @param outputs of all critics, one after the other
   * @param scale converts predictions to returns
   * @param risk how the lower tail is measured
   * @param levels of the quantiles
   */
  static ReturnPrediction of(
      Critic critic, float[] outputs, ReturnScale scale, RiskConfig risk, List<Double> levels) {
    int offset = critic.lower(outputs);
    critic.read(outputs, offset);
    double[] quantiles = levels.stream().mapToDouble(critic::quantile).toArray();
    Arrays.setAll(quantiles, i -> scale.denormalize(quantiles[i]));
    return new ReturnPrediction(
        scale.denormalize(critic.mean(outputs, offset)),
        quantiles,
        scale.denormalize(critic.cvar(risk.alpha(), risk.method())),
        risk.alpha());
  }
}
