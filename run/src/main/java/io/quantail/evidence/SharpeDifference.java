package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import java.util.Arrays;

/**
 * Whether two series of the same bars have different Sharpe ratios, by a studentised, paired
 * stationary bootstrap.
 *
 * <p>The difference D of the ratios per bar (population deviation) has the influence {@code psi =
 * psi_a - psi_b}, {@code psi_x = z - (SR/2)(z^2 - 1)}. Its standard error s is the {@linkplain
 * LongRunError long-run error} of psi with bandwidth {@code ceil(L)}. For each resample {@code t* =
 * |D* - D| / s*}; the interval is {@code D ± s t}, t the 95 % percentile of t*, and {@code p = (1 +
 * #{t* >= |D|/s}) / (B + 1)}.
 *
 * <p>See: Ledoit, Wolf, "Robust performance hypothesis testing with the Sharpe ratio", 2008. They
 * resample blocks of fixed length. Pinned by the vector {@code sharpe_difference_studentised}.
 *
 * @param difference D, per bar
 * @param standardError s
 * @param interval 95 % interval
 * @param pValue of the hypothesis that both ratios are equal
 * @param blockLength mean block length L
 */
public record SharpeDifference(
    double difference,
    double standardError,
    ConfidenceInterval interval,
    double pValue,
    double blockLength) {
  /** A standard error below this is rounding: the influence of a ratio is of the order of 1. */
  private static final double ROUNDING = 1e-12;

  /** Compares two series with {@value StationaryBootstrap#RESAMPLES} resamples. */
  public static SharpeDifference of(double[] first, double[] second, long seed) {
    return of(first, second, StationaryBootstrap.RESAMPLES, seed);
  }

  static SharpeDifference of(double[] first, double[] second, int resamples, long seed) {
    Replicates replicates = Replicates.of(first, second);
    replicates.draw(replicates.groups.resamples(replicates.blockLength, resamples, seed));
    return replicates.result();
  }

  /** The difference of two series and of their resamples. */
  static final class Replicates {
    final double blockLength;
    final int bandwidth;
    double[] differences = new double[0];
    double[] studentised = new double[0];

    private final ValueGroups groups;
    private final SharpeSums first;
    private final SharpeSums second;
    private final double difference;
    private final double error;
    private final double[] psi; // summed over each unit of the series, then of each resample

    private Replicates(double[] first, double[] second) {
      double[] influence = new double[first.length];
      int[] all = new int[first.length];
      Arrays.setAll(all, t -> t);
      difference =
          SharpeInfluence.add(first, all, 1, influence)
              - SharpeInfluence.add(second, all, -1, influence);
      blockLength = BlockLength.of(influence).length();
      groups = ValueGroups.of(first.length);
      this.first = new SharpeSums(first, groups);
      this.second = new SharpeSums(second, groups);
      psi = groups.sums(influence);
      bandwidth = groups.bandwidth(blockLength);
      error = groups.error(psi, bandwidth);
    }

    static Replicates of(double[] first, double[] second) {
      Returns.requireVarying("the first series of returns", first);
      Returns.requireVarying("the second series of returns", second);
      Returns.requireSameLength("the first series", first.length, "the second", second.length);
      return new Replicates(first, second);
    }

    void draw(Resamples resamples) {
      int[] indices = new int[groups.count()];
      differences = new double[resamples.count()];
      studentised = new double[resamples.count()];
      for (int i = 0; i < studentised.length; i++) {
        resamples.fill(i, indices);
        differences[i] = difference(indices);
        double resampled = groups.error(psi, bandwidth);
        boolean defined = resampled > ROUNDING && !Double.isNaN(differences[i]);
        // A resample without variation counts as one that is far from the series.
        studentised[i] =
            defined ? Math.abs(differences[i] - difference) / resampled : Double.POSITIVE_INFINITY;
      }
    }

    SharpeDifference result() {
      if (!(error > ROUNDING)) { // the same series, but for its scale
        ConfidenceInterval none = new ConfidenceInterval(difference, difference);
        return new SharpeDifference(difference, 0, none, 1, blockLength);
      }
      double[] sorted = studentised.clone();
      Arrays.sort(sorted);
      double position = ConfidenceInterval.CONFIDENCE * (sorted.length - 1);
      int below = (int) position;
      int above = Math.min(below + 1, sorted.length - 1);
      if (Double.isInfinite(sorted[above])) {
        throw new EvidenceException(
            Kind.NO_SPREAD,
            "more than one of twenty resamples have no variation, so the Sharpe ratios cannot be"
                + " compared; was a position held on few bars only?");
      }
      double width = sorted[below] + (position - below) * (sorted[above] - sorted[below]);
      double observed = Math.abs(difference) / error;
      long beyond = Arrays.stream(sorted).filter(t -> t >= observed).count();
      return new SharpeDifference(
          difference,
          error,
          new ConfidenceInterval(difference - error * width, difference + error * width),
          (1.0 + beyond) / (sorted.length + 1),
          blockLength);
    }

    /**
     * The difference of the ratios of a resample; leaves its influence in {@code psi}. NaN if one
     * series has no variation.
     */
    private double difference(int[] indices) {
      Arrays.fill(psi, 0);
      if (!first.read(indices) || !second.read(indices)) {
        return Double.NaN;
      }
      first.addInfluence(indices, 1, psi);
      second.addInfluence(indices, -1, psi);
      return first.mean() / first.deviation() - second.mean() / second.deviation();
    }
  }
}
