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
  /** Hardly ever does the tail of a resample reach beyond so many times that of the series. */
  private static final int LIKELY = 3;

  /** A standard error below this fraction of the CVaR is rounding. */
  private static final double ROUNDING = 1e-12;

  static TailBootstrap of(double[] returns, double alpha, int bandwidth, Resamples resamples) {
    TailEstimate estimate = TailEstimate.of(returns, alpha);
    ValueGroups groups = ValueGroups.of(returns.length);
    int[] groupOf = groups.ofValues();
    int[] order = ascending(returns, LIKELY * estimate.tailCount());
    double[] psi = new double[returns.length];
    for (int t = 0; t < psi.length; t++) {
      psi[t] = Math.min(returns[t] - estimate.quantile(), 0) / alpha;
    }
    double error = groups.error(groups.sums(psi), bandwidth);
    boolean defined = isDefined(estimate.cvar(), error);
    double[] replicates = new double[resamples.count()];
    double[] logT = new double[resamples.count()];
    int[] indices = new int[groups.count()];
    int[] copies = new int[groups.count()];
    double[] sums = new double[groups.count()]; // of the returns in the tail, of each unit
    int[] counts = new int[groups.count()];
    double[] drawn = new double[groups.count()];
    for (int i = 0; i < replicates.length; i++) {
      resamples.fill(i, indices);
      Arrays.fill(copies, 0);
      for (int index : indices) {
        copies[index]++;
      }
      Arrays.fill(sums, 0);
      Arrays.fill(counts, 0);
      double sum = 0;
      double quantile = 0;
      int missing = estimate.tailCount();
      for (int rank = 0; missing > 0; rank++) {
        if (rank == order.length) {
          order = ascending(returns, returns.length);
        }
        int group = groupOf[order[rank]];
        int taken = Math.min(missing, copies[group]);
        missing -= taken;
        quantile = returns[order[rank]];
        sum += taken * quantile;
        sums[group] += quantile;
        counts[group]++;
      }
      replicates[i] = sum / estimate.tailCount();
      for (int t = 0; t < drawn.length; t++) {
        drawn[t] = (sums[indices[t]] - counts[indices[t]] * quantile) / alpha;
      }
      double resampled = groups.error(drawn, bandwidth);
      defined &= isDefined(replicates[i], resampled);
      logT[i] = Math.log(replicates[i] / estimate.cvar()) * Math.abs(replicates[i]) / resampled;
    }
    return new TailBootstrap(estimate, error, replicates, defined ? logT : new double[0]);
  }

  /** Indices of the lowest returns, at least as many as wanted if there are. */
  private static int[] ascending(double[] returns, int wanted) {
    double highest = Double.POSITIVE_INFINITY;
    if (wanted < returns.length) {
      double[] sorted = returns.clone();
      Arrays.sort(sorted);
      highest = sorted[wanted];
    }
    double limit = highest;
    return IntStream.range(0, returns.length)
        .filter(t -> returns[t] <= limit)
        .boxed()
        .sorted(Comparator.comparingDouble(t -> returns[t]))
        .mapToInt(Integer::intValue)
        .toArray();
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
