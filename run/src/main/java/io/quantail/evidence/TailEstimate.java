package io.quantail.evidence;

import io.quantail.math.Percentiles;
import io.quantail.math.SampleMoments;
import io.quantail.risk.EmpiricalCvar;

/**
 * Realised CVaR: the mean of the {@code k = ceil(alpha n)} lowest returns.
 *
 * <p>Its error for independent returns is {@code sqrt((var(tail) + (1 - alpha)(q - CVaR)^2) / (n
 * alpha))}, with ddof 1; it is too small for returns whose volatility clusters. Pinned by the
 * vector {@code cvar_standard_error}.
 *
 * @param alpha fraction of the tail
 * @param n number of returns
 * @param tailCount k
 * @param quantile q, the k-th lowest return
 * @param cvar mean of the tail
 * @param independentError standard error for independent returns; NaN for k = 1
 */
public record TailEstimate(
    double alpha, int n, int tailCount, double quantile, double cvar, double independentError) {

  /** The estimate of returns. */
  public static TailEstimate of(double[] returns, double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException("alpha must be in (0, 1], was " + alpha);
    }
    int n = returns.length;
    double[] tail = Percentiles.of(returns).lowest(EmpiricalCvar.tailCount(n, alpha));
    double quantile = tail[tail.length - 1];
    SampleMoments moments = SampleMoments.of(tail, 0, 1);
    double beyond = quantile - moments.mean();
    double variance = moments.deviation() * moments.deviation() + (1 - alpha) * beyond * beyond;
    return new TailEstimate(
        alpha, n, tail.length, quantile, moments.mean(), Math.sqrt(variance / (n * alpha)));
  }
}
