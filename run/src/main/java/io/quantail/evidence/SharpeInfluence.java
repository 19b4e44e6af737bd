package io.quantail.evidence;

/**
 * How each return moves a Sharpe ratio: {@code z - (SR/2)(z^2 - 1)}, z the standardised return;
 * both with population deviation.
 */
final class SharpeInfluence {
  private static final double ROUNDING = 1e-12;

  private SharpeInfluence() {}

  /**
   * Adds the influence of each return of a resample.
   *
   * @param indices of the resample
   * @param sign factor of the influence
   * @param influence to add to, one value for each index
   * @return the ratio of the resample; NaN, with nothing added, if it has no variation
   */
  static double add(double[] returns, int[] indices, double sign, double[] influence) {
    double sum = 0;
    for (int index : indices) {
      sum += returns[index];
    }
    double mean = sum / indices.length;
    double squares = 0;
    for (int index : indices) {
      double difference = returns[index] - mean;
      squares += difference * difference;
    }
    double deviation = Math.sqrt(squares / indices.length);
    if (!(deviation > ROUNDING * Math.abs(mean))) {
      return Double.NaN;
    }
    double ratio = mean / deviation;
    for (int t = 0; t < indices.length; t++) {
      double z = (returns[indices[t]] - mean) / deviation;
      influence[t] += sign * (z - ratio / 2 * (z * z - 1));
    }
    return ratio;
  }
}
