package io.quantail.market.forecast;

/**
 * The loss of quantiles: the mean over levels τ of (τ − 1{y &lt; q}) (y − q), with slope 0 at y =
 * q.
 *
 * <p>See: Koenker, Bassett, "Regression quantiles", Econometrica, 1978. Pinned by the vectors
 * {@code next_bar_head*} and finite differences in {@code PinballLossTest}.
 */
final class PinballLoss {
  private PinballLoss() {}

  /**
   * The loss of one target.
   *
   * @param levels of the quantiles
   * @param quantiles in the order of the levels; they may cross
   * @param gradient receives the derivative by each quantile
   */
  static double of(double[] levels, double[] quantiles, double target, double[] gradient) {
    double sum = 0;
    for (int i = 0; i < levels.length; i++) {
      double above = target - quantiles[i];
      double slope = above == 0 ? 0 : (above < 0 ? 1 : 0) - levels[i];
      gradient[i] = slope / levels.length;
      sum -= slope * above;
    }
    return sum / levels.length;
  }
}
