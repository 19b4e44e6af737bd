package io.quantail.evidence;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Interval of a realised CVaR by a stationary bootstrap, studentised on the logarithmic scale.
 *
 * <p>The standard error s is the {@linkplain LongRunError long-run error} of {@code psi = min(r -
 * q, 0) / alpha} with bandwidth {@code ceil(L)}. For each resample {@code t* = ln(CVaR* / CVaR)
 * |CVaR*| / s*}; the interval is {@code CVaR exp(-t s / |CVaR|)}, t the 2.5 % and the 97.5 %
 * percentile of t*. If a CVaR* is not negative or an s* is 0, it is the percentile interval of
 * CVaR*. Pinned by the vector {@code bootstrap_of_the_tail}.
 *
 * @param estimate of the returns
 * @param standardError s
 * @param replicates CVaR* of each resample
 * @param logT t* of each resample; empty if one is undefined
 */
record TailBootstrap(
    TailEstimate estimate, double standardError, double[] replicates, double[] logT) {
  /** A standard error below this fraction of the CVaR is rounding. */
  private static final double ROUNDING = 1e-12;

  static TailBootstrap of(double[] returns, double alpha, int bandwidth, Resamples resamples) {
    TailEstimate estimate = TailEstimate.of(returns, alpha);
    int[] order =
        IntStream.range(0, returns.length)
            .boxed()
            .sorted(Comparator.comparingDouble(t -> returns[t]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] psi = new double[returns.length];
    for (int t = 0; t < psi.length; t++) {
      psi[t] = Math.min(returns[t] - estimate.quantile(), 0) / alpha;
    }
    double error = LongRunError.of(psi, bandwidth);
    boolean defined = isDefined(estimate.cvar(), error);
    double[] replicates = new double[resamples.count()];
    double[] logT = new double[resamples.count()];
    int[] indices = new int[returns.length];
    int[] copies = new int[returns.length];
    for (int i = 0; i < replicates.length; i++) {
      resamples.fill(i, indices);
      Arrays.fill(copies, 0);
      for (int index : indices) {
        copies[index]++;
      }
      double sum = 0;
      double quantile = 0;
      int missing = estimate.tailCount();
      for (int rank = 0; missing > 0; rank++) {
        int taken = Math.min(missing, copies[order[rank]]);
        missing -= taken;
        quantile = returns[order[rank]];
        sum += taken * quantile;
      }
      replicates[i] = sum / estimate.tailCount();
      for (int t = 0; t < psi.length; t++) {
        psi[t] = Math.min(returns[indices[t]] - quantile, 0) / alpha;
      }
      double resampled = LongRunError.of(psi, bandwidth);
      defined &= isDefined(replicates[i], resampled);
      logT[i] = Math.log(replicates[i] / estimate.cvar()) * Math.abs(replicates[i]) / resampled;
    }
    return new TailBootstrap(estimate, error, replicates, defined ? logT : new double[0]);
  }

  private static boolean isDefined(double cvar, double error) {
    return cvar < 0 && error > ROUNDING * -cvar;
  }

  /** Whether the interval is the studentised one. */
  boolean isStudentised() {
    return logT.length > 0;
  }

  ConfidenceInterval percentileInterval() {
    return ConfidenceInterval.ofPercentiles(replicates, ConfidenceInterval.CONFIDENCE);
  }

  ConfidenceInterval interval() {
    if (!isStudentised()) {
      return percentileInterval();
    }
    ConfidenceInterval t = ConfidenceInterval.ofPercentiles(logT, ConfidenceInterval.CONFIDENCE);
    return new ConfidenceInterval(moved(t.low()), moved(t.high()));
  }

  private double moved(double t) {
    double cvar = estimate.cvar();
    return cvar * Math.exp(-t * standardError / Math.abs(cvar));
  }
}
