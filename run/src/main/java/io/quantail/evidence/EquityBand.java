package io.quantail.evidence;

import java.util.Arrays;
import java.util.Optional;

/**
 * Where an account could have been if the same log-returns had come in another order and selection:
 * the 5 % and 95 % quantiles of exp(Σ r*) − 1 at single bars, over resampled series r* of a
 * stationary bootstrap with the automatic block length. Of a long series whole {@link ValueGroups}
 * are drawn, and a bar counts as the end of its group. Each bar has its own quantiles, so that a
 * whole series lies in the band less often than 90 %. {@code EquityBandTest} compares it with the
 * quantiles of a known distribution.
 *
 * @param bars numbers of bars after which the band is measured
 * @param low 5 % quantile of the change after each of them
 * @param high 95 % quantile
 * @param blockLength mean block length
 */
public record EquityBand(int[] bars, double[] low, double[] high, double blockLength) {
  /** Number of resampled series. */
  public static final int RESAMPLES = 1_000;

  private static final double CONFIDENCE = 0.9;

  /**
   * The band of a series; empty if it has fewer than 30 returns or does not vary.
   *
   * @param bars ascending, from 0 to the number of returns
   */
  public static Optional<EquityBand> of(double[] logReturns, int[] bars, long seed) {
    if (logReturns.length < Returns.FEWEST || Returns.isConstant(logReturns)) {
      return Optional.empty();
    }
    double length = BlockLength.of(logReturns).length();
    ValueGroups groups = ValueGroups.of(logReturns.length);
    Resamples resamples = groups.resamples(length, RESAMPLES, seed);
    double[] sums = groups.sums(logReturns);
    double[][] changes = new double[bars.length][RESAMPLES];
    int[] indices = new int[groups.count()];
    for (int i = 0; i < RESAMPLES; i++) {
      resamples.fill(i, indices);
      double sum = 0;
      int step = 0;
      int passed = 0;
      for (int point = 0; point < bars.length; point++) {
        for (; step < indices.length && passed < bars[point]; step++) {
          sum += sums[indices[step]];
          passed += groups.size(indices[step]);
        }
        changes[point][i] = Math.expm1(sum);
      }
    }
    ConfidenceInterval[] band =
        Arrays.stream(changes)
            .map(values -> ConfidenceInterval.ofPercentiles(values, CONFIDENCE))
            .toArray(ConfidenceInterval[]::new);
    return Optional.of(
        new EquityBand(
            bars,
            Arrays.stream(band).mapToDouble(ConfidenceInterval::low).toArray(),
            Arrays.stream(band).mapToDouble(ConfidenceInterval::high).toArray(),
            length));
  }
}
